#include "inner_objective.hpp"

#include <cmath>

namespace spicymkl {

InnerObjective::InnerObjective(const Problem& problem, std::vector<Index> candidates)
    : samples(problem),
      kernels(problem.bank(), problem.regularizer(), std::move(candidates)),
      unpenalised(Matrix::Zero(problem.constraints().n_columns(), problem.n_outputs())),
      constraints(problem.constraints()),
      direction_(problem.n_samples()),
      trial_(problem.n_samples()),
      trial_gradient_(problem.n_samples()),
      gradient_(problem.n_samples()),
      curvature_(problem.n_samples()) {}

void InnerObjective::evaluate() {
  value_ = samples.value_and_gradient(rho(), gradient_, &curvature_) + kernels.value();
  kernels.add_gradient(gradient_);
  constraints.add_predictions(unpenalised, gradient_);
  constraints.remove_multipliers(gradient_);
}

void InnerObjective::prepare_line(ConstVectorRef direction) {
  direction_ = direction;
  kernels.prepare_line(direction);
  // 0 but for rounding
  unpenalised_slope_ = 0;
  for (Index k = 0; k < unpenalised.cols(); ++k)
    for (Index j = 0; j < unpenalised.rows(); ++j)
      unpenalised_slope_ += unpenalised(j, k) * constraints.columns().col(j).dot(direction_.segment(
                                                    k * constraints.n_samples(), constraints.n_samples()));
}

SlopedValue InnerObjective::along(double c) {
  trial_ = rho() + c * direction_;
  SlopedValue line = kernels.along(c);
  line.value += samples.value_and_gradient(trial_, trial_gradient_);
  line.slope += trial_gradient_.dot(direction_) + unpenalised_slope_;
  return line;
}

void InnerObjective::move(double c) { kernels.move(c); }

double InnerObjective::movement() const { return kernels.movement() + samples.multiplier_movement(rho()); }

}  // namespace spicymkl
