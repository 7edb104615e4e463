#include "spicymkl/solver/recover.hpp"

#include <cmath>

#include "spicymkl/bank/combined_bank.hpp"
#include "spicymkl/solver/onestep.hpp"

namespace spicymkl {

namespace {

/// With kernels and scales given: the intercept that goes with them.
void fit_intercept(const Problem& problem, Expansion& expansion) {
  Vector f = Vector::Zero(problem.n_samples());
  problem.bank().weighted_product(expansion.kernels, expansion.scale, expansion.dual, f);
  expansion.intercept = problem.best_intercept(f);
}

}  // namespace

Iterate iterate_at(const Problem& problem, const WarmStart& start) {
  Iterate iterate{start.dual, start.kernels, Vector(start.coef.cols()), start.intercept, start.multipliers};
  for (Index k = 0; k < start.coef.cols(); ++k) {
    Vector square(1);
    problem.bank().quadratic_forms({&start.kernels[static_cast<std::size_t>(k)], 1}, start.coef.col(k), square);
    iterate.norms(k) = std::sqrt(square(0));
  }
  return iterate;
}

Expansion first_model(const Problem& problem, const WarmStart& start) {
  if (!start.empty()) return share_direction(problem, iterate_at(problem, start));
  const Problem::Constant constant = problem.best_constant();
  return {constant.dual, {}, Vector(0), constant.intercept};
}

void keep_better_model(Result& earlier, Result& later) {
  const bool has_model = earlier.expansion.dual.size() > 0;
  if (!has_model || earlier.certificate.relative_gap >= later.certificate.relative_gap) return;
  std::swap(earlier.expansion, later.expansion);
  std::swap(earlier.certificate, later.certificate);
}

Expansion share_direction(const Problem& problem, const Iterate& iterate) {
  Expansion expansion{iterate.dual, iterate.kernels, Vector(iterate.norms.size()), iterate.intercept};
  Vector squares(iterate.norms.size());
  problem.bank().quadratic_forms(iterate.kernels, iterate.dual, squares);
  for (Index k = 0; k < squares.size(); ++k)
    expansion.scale(k) = squares(k) > 0 ? iterate.norms(k) / std::sqrt(squares(k)) : 0;
  fit_intercept(problem, expansion);
  return expansion;
}

Expansion fix_weights(const Problem& problem, const Iterate& iterate, double tol) {
  Vector weights(iterate.norms.size());
  for (Index k = 0; k < weights.size(); ++k) weights(k) = problem.regularizer().weight(iterate.norms(k));
  const double alpha = problem.regularizer().alpha();
  double trace = 0;
  for (Index k = 0; k < weights.size(); ++k)
    trace += weights(k) * problem.bank().trace(iterate.kernels[static_cast<std::size_t>(k)]);
  if (!std::isfinite(trace))
    return share_direction(problem, iterate);  // x^(2−q) of a tiny norm x: no kernel to solve with
  const auto combined = std::make_shared<CombinedBank>(problem.bank(), iterate.kernels, weights);
  const Problem one_kernel = problem.with(combined, make_regularizer("uniform", {.alpha = alpha}));
  Settings settings;
  settings.tol = tol;
  settings.max_iter = 30;
  settings.prove = false;  // whoever takes the model does
  const Result solved =
      solve_onestep(one_kernel, settings, {iterate.dual, {}, {}, iterate.intercept, iterate.multipliers});
  return {solved.expansion.dual, iterate.kernels, weights / alpha, solved.expansion.intercept};
}

}  // namespace spicymkl
