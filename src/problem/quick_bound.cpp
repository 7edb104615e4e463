#include "quick_bound.hpp"

#include <cmath>

namespace spicymkl {

namespace {

/// An upper bound of the primal value. With K = K̃ + R, R positive semi-definite of trace δ: entries of Rρ are at most
/// δ‖ρ‖, and ρᵀRρ is at most δ‖ρ‖².
PrimalValue upper_primal(const Problem& truth, const KernelBank& approximate, const Expansion& model,
                         const Certificate& found) {
  const double size = model.dual.norm();
  PrimalValue primal{0, found.norms, found.predictions};
  double off = 0;  // by which a prediction may be
  for (Index k = 0; k < model.scale.size(); ++k) {
    const double missing = approximate.missing_trace(model.kernels[k]);
    const double scale = std::abs(model.scale(k));
    double& norm = primal.norms(k);
    off += scale * missing * size;
    norm = std::sqrt(norm * norm + scale * scale * missing * size * size);
    primal.value += truth.regularizer().value(norm);
  }
  primal.value += truth.largest_loss_value(primal.predictions, Vector::Constant(primal.predictions.size(), off));
  return primal;
}

}  // namespace

Vector quick_squared_norms(const Problem& problem, const Vector& rho) {
  const double square = rho.squaredNorm();
  Vector squares(problem.n_kernels());
  for (Index m = 0; m < squares.size(); ++m) squares(m) = problem.bank().trace(m) * square;
  return squares;
}

DualBound quick_dual_bound(const Problem& problem, ConstVectorRef rho) {
  const Vector feasible = problem.feasible(rho);
  return dual_bound_from(problem, feasible, quick_squared_norms(problem, feasible));
}

std::optional<Certificate> carried_certificate(const Problem& truth, const KernelBank& approximate,
                                               const Expansion& model, const Certificate& found,
                                               const DualBound& bound) {
  if (found.predictions.size() != truth.n_samples() || !(bound.scale() > 0)) return std::nullopt;
  const Vector rho = bound.dual() / bound.scale();
  Vector squares = bound.norms().cwiseAbs2();
  if (squares.size() != truth.n_kernels()) return std::nullopt;
  for (Index m = 0; m < squares.size(); ++m) squares(m) += approximate.missing_trace(m) * rho.squaredNorm();
  PrimalValue primal = upper_primal(truth, approximate, model, found);
  if (!squares.allFinite() || !std::isfinite(primal.value)) return std::nullopt;
  return certify(std::move(primal), dual_bound_from(truth, rho, std::move(squares)));
}

Expansion constant_expansion(const Problem& problem) {
  return {
      Vector::Zero(problem.n_samples()), {}, Vector(0), problem.best_unpenalised(Vector::Zero(problem.n_samples()))};
}

}  // namespace spicymkl
