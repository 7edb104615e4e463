#include "spicymkl/solver/inner_objective.hpp"

#include <cmath>

namespace spicymkl {

double InterceptTerm::value(double sum) const {
  const double b = intercept + gamma * sum;
  return kind == Kind::penalty ? b * b / (2 * gamma) : 0;
}

double InterceptTerm::slope(double sum) const { return kind == Kind::none ? 0 : next(sum); }

double InterceptTerm::next(double sum) const { return kind == Kind::penalty ? intercept + gamma * sum : intercept; }

InnerObjective::InnerObjective(const Problem& problem, std::vector<Index> candidates)
    : samples(problem),
      kernels(problem.bank(), problem.regularizer(), std::move(candidates)),
      direction_(problem.n_samples()),
      trial_(problem.n_samples()),
      trial_gradient_(problem.n_samples()),
      gradient_(problem.n_samples()),
      curvature_(problem.n_samples()) {}

void InnerObjective::evaluate() {
  const double sum = rho().sum();
  value_ = samples.value_and_gradient(rho(), gradient_, &curvature_) + kernels.value() + intercept.value(sum);
  kernels.add_gradient(gradient_);
  gradient_.array() += intercept.slope(sum);
}

void InnerObjective::prepare_line(ConstVectorRef direction) {
  direction_ = direction;
  kernels.prepare_line(direction);
}

KernelTerms::LineValue InnerObjective::along(double c) {
  trial_ = rho() + c * direction_;
  const double sum = trial_.sum();
  KernelTerms::LineValue line = kernels.along(c);
  line.value += samples.value_and_gradient(trial_, trial_gradient_) + intercept.value(sum);
  line.slope += trial_gradient_.dot(direction_) + intercept.slope(sum) * direction_.sum();
  return line;
}

void InnerObjective::move(double c) { kernels.move(c); }

double InnerObjective::movement() const {
  double sum = kernels.movement() + samples.multiplier_movement(rho());
  if (intercept.kind == InterceptTerm::Kind::penalty) {
    const double change = intercept.gamma * rho().sum();
    sum += change * change / (2 * intercept.gamma);
  }
  return sum;
}

}  // namespace spicymkl
