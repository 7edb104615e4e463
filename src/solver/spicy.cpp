#include "spicymkl/solver/spicy.hpp"

#include "spicymkl/solver/run.hpp"

namespace spicymkl {

namespace {

constexpr double kGrowth = 10;            // of every γ from one outer step to the next
constexpr double kLargestGrowth = 1e8;   // beyond it rounding in α + γρ wins nothing any more
constexpr double kInnerAccuracy = 1e-2;  // δ of Rockafellar's criterion B, squared

}  // namespace

ProximalLoop::ProximalLoop(const Problem& problem, const Settings& settings, const WarmStart& warm_start)
    : problem_(problem),
      scales_(estimate_scales(problem)),
      phi_(problem, all_kernels(problem.n_kernels())),
      newton_(problem.bank(), scales_.curvature, scales_.prediction, settings) {
  phi_.intercept.kind = problem.fit_intercept() ? InterceptTerm::Kind::penalty : InterceptTerm::Kind::none;
  phi_.intercept.gamma = scales_.intercept_gamma;
  phi_.intercept.intercept = warm_start.empty() ? scales_.constant.intercept : warm_start.intercept;
  phi_.samples.set_penalty(scales_.constraint_gamma);
  phi_.samples.set_multipliers(warm_start.multipliers);
  if (!warm_start.kernels.empty())
    phi_.kernels.set_coefficients(warm_start.kernels, warm_start.coef, scales_.kernel_gamma);
  phi_.kernels.place(warm_start.empty() ? scales_.constant.dual : warm_start.dual, scales_.kernel_gamma);
  primal_ = problem.loss_value(Vector::Constant(problem.n_samples(), scales_.constant.intercept));
}

int ProximalLoop::minimise_inner(Timers& timers) {
  return newton_.minimise(phi_, {kInnerAccuracy, 0}, timers);
}

double ProximalLoop::primal_of_update() const {
  Vector z = phi_.kernels.next_predictions();
  z.array() += phi_.intercept.intercept;
  double primal = problem_.loss_value(z);
  for (const double norm : norms_) primal += problem_.regularizer().value(norm);
  return primal;
}

void ProximalLoop::update_multipliers() {
  kernels_.clear();
  for (const Index k : phi_.kernels.active()) kernels_.push_back(phi_.kernels.kernel(k));
  norms_ = phi_.kernels.next_norms();
  phi_.intercept.intercept = phi_.intercept.next(rho().sum());
  phi_.samples.update_multipliers(rho());
  primal_ = primal_of_update();

  const double growth = gamma() < kLargestGrowth * scales_.kernel_gamma ? kGrowth : 1;
  phi_.kernels.update_coefficients(growth * gamma());
  phi_.intercept.gamma *= growth;
  phi_.samples.set_penalty(growth * phi_.samples.penalty());
}

Iterate ProximalLoop::iterate() const {
  return {rho(), kernels_, norms_, phi_.intercept.intercept, phi_.samples.multipliers()};
}

WarmStart ProximalLoop::warm_start() const {
  return {rho(), phi_.kernels.coefficient_kernels(), phi_.kernels.coefficients(), phi_.intercept.intercept,
          phi_.samples.multipliers()};
}

Result solve_spicy(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
  Run run(problem, settings);
  ProximalLoop loop(problem, settings, warm_start);
  const auto offer_models = [&] {
    run.offer(share_direction(problem, loop.iterate()));
    if (run.going_on()) run.offer(fix_weights(problem, loop.iterate(), 0.1 * settings.tol));
  };

  run.bound_by(loop.rho());
  run.record({loop.gamma(), 0, loop.primal(), 0});
  if (run.gap() <= settings.tol) offer_models();  // no kernel is needed: alpha ≥ alpha_max

  while (run.going_on()) {
    const double gamma = loop.gamma();
    const int steps = loop.minimise_inner(run.timers);  // step 2
    loop.update_multipliers();                                                               // steps 3 and 1
    run.bound_by(loop.rho());
    run.record({gamma, steps, loop.primal(), static_cast<Index>(loop.iterate().kernels.size())});
    if (run.gap() <= settings.tol) offer_models();  // step 4
  }
  // A run that did not converge keeps the better of the two models: with q > 2 fixing the weights may lose a lot.
  if (run.gap() > settings.tol) run.offer(share_direction(problem, loop.iterate()));
  return run.finish(fix_weights(problem, loop.iterate(), 0.1 * settings.tol), loop.warm_start());
}

}  // namespace spicymkl
