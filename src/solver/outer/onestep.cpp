#include "onestep.hpp"

#include <algorithm>

#include "scales.hpp"
#include "solver/inner/newton.hpp"

namespace spicymkl {

namespace {

constexpr int kSoonTired = 60;  // Newton steps of an inner minimisation, where the proximal solver may take over
constexpr int kExhausted = 2;   // such minimisations that end unfinished before it does
constexpr double kFirstAccuracy = 0.1;  // part of the tolerance that the first minimisation may use up,
constexpr double kNextAccuracy = 0.01;  // and of the accuracy of one the next
constexpr double kOfMovement = 0.01;    // part of the multipliers' movement that is accurate enough
constexpr double kPenaltyGrowth = 10;   // of γ_ξ, as of every γ of the proximal loop
constexpr double kEarlyFirst = 0.5;     // part of the tolerance at which the first minimisation may end early

/// α_m = (G*′(‖ρ‖_Km)/‖ρ‖_Km) ρ: the primal solution that belongs to ρ (end of Section 4.3), already in the stored
/// form. From products known already.
KnownModel candidate_at(const Problem& problem, const InnerObjective& phi) {
  Expansion model;
  model.dual = phi.rho();
  model.kernels = phi.kernels.active_kernels();
  model.scale = phi.kernels.next_factors();
  Vector z = phi.kernels.next_predictions();
  model.unpenalised = problem.best_unpenalised(z);
  z += problem.unpenalised_part(model.unpenalised);
  return {std::move(model), primal_value(problem, std::move(z), phi.kernels.next_norms())};
}

}  // namespace

Result solve_onestep(const Problem& problem, const Settings& settings, const WarmStart& warm_start, const Role& role) {
  Run run(problem, settings, role);
  const Scales scales = estimate_scales(problem);
  InnerObjective phi(problem, all_kernels(problem.n_kernels()));
  Settings newton_settings = settings;
  if (role.has_successor) newton_settings.max_newton = std::min(settings.max_newton, kSoonTired);
  NewtonMinimizer newton(problem, scales.curvature, scales.prediction, newton_settings);
  newton.take_over(warm_start.newton);
  int exhausted = 0;

  phi.unpenalised = warm_start.empty() ? scales.constant.unpenalised : warm_start.unpenalised;
  phi.samples.set_penalty(scales.constraint_gamma);
  phi.samples.set_multipliers(warm_start.multipliers);
  const Vector start = problem.feasible(warm_start.empty() ? scales.constant.dual : warm_start.dual);
  phi.kernels.place(start, std::numeric_limits<double>::infinity());
  const double scale = run.bound_from(start, phi.kernels.dual_norms().cwiseAbs2()).scale();
  if (scale > 0) phi.kernels.scale_point(scale);

  double accuracy =
      kFirstAccuracy * settings.tol * problem.loss_value(problem.unpenalised_part(scales.constant.unpenalised));
  KnownModel candidate = candidate_at(problem, phi);
  KnownModel best = candidate;
  run.remember(warm_start);
  run.remember(candidate.expansion, candidate.primal);
  const Snapshot snapshot = [&] {
    return WarmStart{.dual = phi.rho(),
                     .kernels = {},
                     .coef = {},
                     .unpenalised = phi.unpenalised,
                     .multipliers = phi.samples.multipliers(),
                     .newton = newton.hand_on()};
  };
  run.record({phi.kernels.gamma(), 0, candidate.primal.value, phi.kernels.n_active()}, snapshot);
  if (run.gap() <= settings.tol) run.offer(candidate.expansion, candidate.primal);

  double early_gap = kEarlyFirst * settings.tol;
  const auto enough = [&] {
    return relative_gap(candidate_at(problem, phi).primal.value,
                        estimated_dual(problem, phi.rho(), phi.kernels.dual_norms())) <= early_gap;
  };
  run.repeat([&] {
    const int steps = newton.minimise(phi, {kOfMovement, accuracy}, run.timers, enough);  // Eq. (48)
    early_gap = 0;                              // should the model not pass, minimise as usual
    phi.samples.update_multipliers(phi.rho());  // Eq. (40)
    candidate = candidate_at(problem, phi);
    run.bound_by(phi.rho(), phi.kernels.dual_norms());
    run.record({phi.kernels.gamma(), steps, candidate.primal.value, phi.kernels.n_active()}, snapshot);
    if (run.progressed()) best = candidate;
    run.remember(candidate.expansion, candidate.primal);
    if (run.gap() <= settings.tol) run.offer(candidate.expansion, candidate.primal);
    if (role.has_successor && steps >= newton_settings.max_newton && ++exhausted == kExhausted)
      run.give_up("Newton's method does not get on: the dual is smooth in name only");
    phi.samples.set_penalty(kPenaltyGrowth * phi.samples.penalty());
    accuracy *= kNextAccuracy;
  });
  run.conclude([&] { run.offer(best.expansion, best.primal); });
  return run.finish(snapshot());
}

}  // namespace spicymkl
