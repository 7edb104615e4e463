#include "spicymkl/solver/onestep.hpp"

#include "spicymkl/solver/newton.hpp"
#include "spicymkl/solver/run.hpp"
#include "spicymkl/solver/scales.hpp"

namespace spicymkl {

namespace {

/// α_m = (G*′(‖ρ‖_Km)/‖ρ‖_Km) ρ: the primal solution that belongs to ρ (end of Section 4.3), already in the stored form.
Expansion expansion_at(const Problem& problem, const InnerObjective& phi) {
  Expansion expansion;
  expansion.dual = phi.rho();
  KernelTerms::Hessian terms;
  phi.kernels.hessian(nullptr, terms);
  expansion.kernels = std::move(terms.kernels);
  expansion.scale = std::move(terms.weights);
  expansion.intercept = problem.best_intercept(phi.kernels.next_predictions());
  return expansion;
}

}  // namespace

Result solve_onestep(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
  Run run(problem, settings);
  const Scales scales = estimate_scales(problem);
  InnerObjective phi(problem, all_kernels(problem.n_kernels()));
  NewtonMinimizer newton(problem.bank(), scales.curvature, scales.prediction, settings);

  phi.intercept.kind = problem.fit_intercept() ? InterceptTerm::Kind::exact : InterceptTerm::Kind::none;
  phi.intercept.intercept = warm_start.empty() ? scales.constant.intercept : warm_start.intercept;
  phi.samples.set_penalty(scales.constraint_gamma);
  phi.samples.set_multipliers(warm_start.multipliers);
  const Vector start = dual_bound(problem, warm_start.empty() ? scales.constant.dual : warm_start.dual).dual();
  phi.kernels.place(start, std::numeric_limits<double>::infinity());

  double accuracy = 0.1 * settings.tol * problem.loss_value(Vector::Constant(problem.n_samples(), scales.constant.intercept));
  Expansion expansion = expansion_at(problem, phi);
  Expansion best = expansion;
  const Snapshot snapshot = [&] {
    return WarmStart{phi.rho(), {}, {}, phi.intercept.intercept, phi.samples.multipliers()};
  };
  run.bound_by(start);
  run.record({phi.kernels.gamma(), 0, primal_value(problem, expansion).value, phi.kernels.n_active()}, snapshot);
  if (run.gap() <= settings.tol) run.offer(expansion);

  while (run.going_on()) {
    const int steps = newton.minimise(phi, {0.01, accuracy}, run.timers);  // Eq. (48)
    phi.samples.update_multipliers(phi.rho());                            // Eq. (40)
    expansion = expansion_at(problem, phi);
    run.bound_by(phi.rho());
    run.record({phi.kernels.gamma(), steps, primal_value(problem, expansion).value, phi.kernels.n_active()}, snapshot);
    if (run.progressed()) best = expansion;
    if (run.gap() <= settings.tol) run.offer(expansion);
    phi.samples.set_penalty(10 * phi.samples.penalty());
    accuracy *= 0.01;
  }
  if (!run.converged()) run.offer(std::move(best));
  return run.finish(snapshot());
}

}  // namespace spicymkl
