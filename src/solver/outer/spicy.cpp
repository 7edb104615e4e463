#include "spicy.hpp"

#include <algorithm>

namespace spicymkl {

namespace {

constexpr double kGrowth = 10;           // of every γ from one outer step to the next
constexpr double kLargestGrowth = 1e8;   // in all; beyond it α + γρ loses too many digits
constexpr int kPatience = 4;             // steps without a smaller gap before γ goes back
constexpr double kEarly = 0.5;           // part of the tolerance at which an inner minimisation may end early
constexpr int kMatchRounds = 6;          // attempts at a stored model that is as good as the iterate
constexpr double kModelAccuracy = 0.1;   // part of the tolerance that the model with fixed weights may use up
constexpr double kRough = 1e-2;          // tolerance of the model of an interrupted run, which is wanted soon
constexpr double kInnerAccuracy = 1e-1;  // δ of Rockafellar's criterion B, squared

}  // namespace

ProximalLoop::ProximalLoop(const Problem& problem, const Settings& settings, const WarmStart& warm_start)
    : problem_(problem),
      scales_(estimate_scales(problem)),
      first_gamma_(first_gamma(problem)),
      phi_(problem, all_kernels(problem.n_kernels())),
      newton_(problem, scales_.curvature, scales_.prediction, settings) {
  newton_.take_over(warm_start.newton);
  phi_.unpenalised = warm_start.empty() ? scales_.constant.unpenalised : warm_start.unpenalised;
  phi_.samples.set_penalty(scales_.constraint_gamma);
  phi_.samples.set_multipliers(warm_start.multipliers);
  if (!warm_start.kernels.empty()) phi_.kernels.set_coefficients(warm_start.kernels, warm_start.coef, first_gamma_);
  phi_.kernels.place(problem.feasible(warm_start.empty() ? scales_.constant.dual : warm_start.dual), first_gamma_);
  kernels_ = phi_.kernels.coefficient_kernels();
  norms_ = phi_.kernels.coefficient_norms();
  primal_ = primal_at(phi_.kernels.coefficient_predictions(), phi_.unpenalised, norms_);
}

int ProximalLoop::minimise_inner(double gap, Timers& timers) {
  return newton_.minimise(phi_, {kInnerAccuracy, 0}, timers, [&] { return estimated_gap() <= gap; });
}

double ProximalLoop::primal_at(Vector f, const Matrix& unpenalised, const Vector& norms) const {
  f += problem_.unpenalised_part(unpenalised);
  return primal_value(problem_, std::move(f), norms).value;
}

double ProximalLoop::next_primal() const {
  return primal_at(phi_.kernels.next_predictions(), phi_.unpenalised, phi_.kernels.next_norms());
}

double ProximalLoop::estimated_gap() const {
  return relative_gap(next_primal(), estimated_dual(problem_, rho(), phi_.kernels.dual_norms()));
}

void ProximalLoop::update_multipliers() {
  kernels_ = phi_.kernels.active_kernels();
  norms_ = phi_.kernels.next_norms();
  primal_ = next_primal();
  phi_.samples.update_multipliers(rho());
  phi_.kernels.update_coefficients();
}

void ProximalLoop::change_gamma(bool grow) {
  double factor = grow ? kGrowth : 1 / kGrowth;
  factor = std::clamp(gamma() * factor, first_gamma_, kLargestGrowth * first_gamma_) / gamma();
  phi_.kernels.set_gamma(factor * gamma());
  phi_.samples.set_penalty(factor * phi_.samples.penalty());
}

Iterate ProximalLoop::iterate() const {
  return {rho(), kernels_, norms_, phi_.unpenalised, phi_.samples.multipliers(), newton_.hand_on()};
}

WarmStart ProximalLoop::warm_start() const {
  return {.dual = rho(),
          .kernels = phi_.kernels.coefficient_kernels(),
          .coef = phi_.kernels.coefficients(),
          .unpenalised = phi_.unpenalised,
          .multipliers = phi_.samples.multipliers(),
          .newton = newton_.hand_on()};
}

Result solve_spicy(const Problem& problem, const Settings& settings, const WarmStart& warm_start, const Role& role) {
  Run run(problem, settings, role);
  ProximalLoop loop(problem, settings, warm_start);
  Iterate best = loop.iterate();
  const auto offer_models = [&](const Iterate& iterate) {
    run.offer(share_direction(problem, iterate));
    if (!run.converged()) run.offer(fix_weights(problem, iterate, kModelAccuracy * settings.tol));
  };
  const auto offer_last_models = [&] {
    run.offer(share_direction(problem, best));
    const double tol = kModelAccuracy * (run.stop_requested() ? std::max(settings.tol, kRough) : settings.tol);
    Expansion model = fix_weights(problem, best, tol);
    run.offer(model);
    for (int round = 0; round < kMatchRounds && !run.converged() && !run.stop_requested(); ++round) {
      model = match_norms(problem, best, model, tol);
      run.offer(model);
    }
  };

  const Snapshot snapshot = [&] { return loop.warm_start(); };
  run.bound_by(loop.rho(), loop.dual_norms());
  run.record({loop.gamma(), 0, loop.primal(), loop.n_active()}, snapshot);
  if (run.gap() <= settings.tol) offer_models(best);  // no kernel is needed, or the start was good

  double early_gap = kEarly * settings.tol;
  run.remember(warm_start);
  run.repeat([&] {
    const double gamma = loop.gamma();
    const int steps = loop.minimise_inner(early_gap, run.timers);  // step 2
    loop.update_multipliers();                                     // step 3
    run.bound_by(loop.rho(), loop.dual_norms());
    run.record({gamma, steps, loop.primal(), loop.n_active()}, snapshot);
    if (run.gap() <= settings.tol) early_gap = 0;  // should its model not pass, minimise as usual
    if (run.progressed()) best = loop.iterate();
    if (run.gap() <= settings.tol) offer_models(loop.iterate());  // step 4
    loop.change_gamma(run.idle_steps() < kPatience);              // step 1
  });
  run.conclude(offer_last_models);
  return run.finish(snapshot());
}

}  // namespace spicymkl
