#include "spicymkl/model/fit.hpp"

#include <cmath>

namespace spicymkl {

std::string Fit::title() const { return (target.empty() ? "class " : "target ") + name(); }

Vector Fit::active_weights() const {
  const auto regularizer = problem.make_regularizer();
  Vector weights(certificate.norms.size());
  for (Index k = 0; k < weights.size(); ++k) weights(k) = regularizer->weight(certificate.norms(k));
  return weights;
}

Vector Fit::weights(Index n_kernels) const {
  Vector all = Vector::Zero(n_kernels);
  all(expansion.kernels) = active_weights();
  return all;
}

namespace {

/// The proof is to hold for the coefficients in the units of the user: the loss is no steeper than the largest dual
/// value.
void allow_for(double rounding_of_predictions, Certificate& certificate) {
  const double moved = rounding_of_predictions * certificate.dual.lpNorm<Eigen::Infinity>();
  certificate.rounding += moved;
  if (certificate.primal != 0) certificate.relative_gap += moved / std::abs(certificate.primal);
}

/// Of classes that are learned at once, only the differences of their scores matter: what could be added to all of them
/// is left out, so that a problem has one answer.
void centre_outputs(Matrix& unpenalised) { unpenalised.colwise() -= unpenalised.rowwise().mean().eval(); }

}  // namespace

Fit make_fit(std::string positive_class, const ProblemDescription& problem, Result result,
             const CovariateBasis& covariates) {
  Fit fit;
  fit.positive_class = std::move(positive_class);
  fit.problem = problem;
  fit.expansion = std::move(result.expansion);
  fit.expansion.unpenalised = covariates.in_user_units(fit.expansion.unpenalised);
  fit.n_covariates = covariates.n_covariates();
  if (problem.make_loss()->labels() == LabelKind::several_classes) centre_outputs(fit.expansion.unpenalised);
  fit.certificate = std::move(result.certificate);
  if (fit.n_covariates > 0) allow_for(covariates.rounding(fit.expansion.unpenalised), fit.certificate);
  fit.status = to_string(result.status);
  fit.message = std::move(result.message);
  fit.iterations = result.iterations;
  fit.newton_steps = result.newton_steps;
  fit.seconds = result.timers.total;
  fit.stages = std::move(result.stages);
  return fit;
}

}  // namespace spicymkl
