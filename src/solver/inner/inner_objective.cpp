#include "inner_objective.hpp"

#include <cmath>

namespace spicymkl {

InnerObjective::InnerObjective(const Problem& problem, std::vector<Index> candidates)
    : samples(problem),
      kernels(problem.bank(), problem.regularizer(), std::move(candidates)),
      direction_(problem.n_samples()),
      trial_(problem.n_samples()),
      trial_gradient_(problem.n_samples()),
      gradient_(problem.n_samples()),
      curvature_(problem.n_samples()) {}

void InnerObjective::evaluate() {
  value_ = samples.value_and_gradient(rho(), gradient_, &curvature_) + kernels.value();
  kernels.add_gradient(gradient_);
  gradient_.array() += intercept.value;
}

void InnerObjective::prepare_line(ConstVectorRef direction) {
  direction_ = direction;
  kernels.prepare_line(direction);
}

SlopedValue InnerObjective::along(double c) {
  trial_ = rho() + c * direction_;
  SlopedValue line = kernels.along(c);
  line.value += samples.value_and_gradient(trial_, trial_gradient_);
  line.slope += trial_gradient_.dot(direction_) + intercept.value * direction_.sum();
  return line;
}

void InnerObjective::move(double c) { kernels.move(c); }

double InnerObjective::movement() const { return kernels.movement() + samples.multiplier_movement(rho()); }

}  // namespace spicymkl
