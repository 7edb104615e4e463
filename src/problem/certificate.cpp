#include "spicymkl/problem/certificate.hpp"

#include <algorithm>
#include <cmath>

#include "spicymkl/bank/many_forms.hpp"

namespace spicymkl {

namespace {

/// D(s·ρ) as a function of the scale s, for feasible ρ: −Σℓ*(−sρ_i) − ΣG*(s‖ρ‖_Km). Concave in s.
class ScaledDual {
 public:
  ScaledDual(const Problem& problem, const Vector& rho, const Vector& norms)
      : problem_(problem), rho_(rho), norms_(norms) {}

  double operator()(double s) const {
    double value = -problem_.conjugate_value(s * rho_);
    for (const double norm : norms_) {
      // A norm scaled onto the bound may exceed it by a rounding error.
      value -= problem_.regularizer().conjugate(std::min(s * norm, problem_.regularizer().dual_bound()));
    }
    return value;
  }

 private:
  const Problem& problem_;
  const Vector& rho_;
  const Vector& norms_;
};

/// The maximiser of a concave function on [0, upper] by golden section; `upper` itself when the maximum is there.
double best_scale(const ScaledDual& dual, double upper) {
  if (dual(upper) >= dual((1 - 1e-7) * upper)) return upper;
  constexpr double kGolden = 0.6180339887498949;
  double lower = 0;
  double left = upper - kGolden * (upper - lower), right = lower + kGolden * (upper - lower);
  double at_left = dual(left), at_right = dual(right);
  for (int step = 0; step < 60; ++step) {
    if (at_left > at_right) {
      upper = right, right = left, at_right = at_left;
      left = upper - kGolden * (upper - lower), at_left = dual(left);
    } else {
      lower = left, left = right, at_left = at_right;
      right = lower + kGolden * (upper - lower), at_right = dual(right);
    }
  }
  return at_left > at_right ? left : right;
}

/// Up to which ρ may be scaled without leaving the dual domain.
double largest_scale(const Problem& problem, const Vector& norms) {
  const double largest = norms.size() > 0 ? norms.maxCoeff() : 0, limit = problem.regularizer().dual_bound();
  return largest > limit ? limit / largest : 1.0;
}

}  // namespace

double estimated_dual(const Problem& problem, ConstVectorRef rho, const Vector& norms) {
  const Vector feasible = problem.feasible(rho);
  const ScaledDual dual(problem, feasible, norms);
  return dual(best_scale(dual, largest_scale(problem, norms)));
}

double relative_gap(double primal, double dual) {
  return std::abs(primal - dual) / std::max(std::abs(primal), std::numeric_limits<double>::min());
}

double rounding_of_forms(const Vector& rho) {
  // A quadratic form is known up to rounding, typically ε·trace(K)‖ρ‖²/N. The bound must hold for the exact one, and
  // for whoever checks it and sums in another order: hence some times as much.
  constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
  return kRounding * rho.squaredNorm() / static_cast<double>(rho.size());
}

DualBound dual_bound_from(const Problem& problem, Vector feasible, Vector squared_norms) {
  DualBound bound;
  bound.dual_ = std::move(feasible);
  bound.norms_ = std::move(squared_norms);
  const double unit = rounding_of_forms(bound.dual_);
  for (Index m = 0; m < bound.norms_.size(); ++m)
    bound.norms_(m) = std::sqrt(bound.norms_(m) + unit * problem.bank().trace(m));
  const ScaledDual dual(problem, bound.dual_, bound.norms_);
  bound.scale_ = best_scale(dual, largest_scale(problem, bound.norms_));
  bound.value_ = dual(bound.scale_);
  bound.dual_ *= bound.scale_;
  return bound;
}

DualBound dual_bound(const Problem& problem, ConstVectorRef rho) {
  Vector feasible = problem.feasible(rho);
  Vector squares(problem.n_kernels());
  problem.bank().quadratic_forms(all_kernels(problem.n_kernels()), feasible, squares);
  return dual_bound_from(problem, std::move(feasible), std::move(squares));
}

DualBound dual_bound(const Problem& problem, const KernelBank& approximate, ConstVectorRef rho) {
  Vector feasible = problem.feasible(rho);
  const double square = feasible.squaredNorm();
  std::vector<Index> bounded, unknown;
  for (Index m = 0; m < problem.n_kernels(); ++m)
    (std::isfinite(approximate.missing_trace(m)) ? bounded : unknown).push_back(m);
  Vector kept(static_cast<Index>(bounded.size())), exact(static_cast<Index>(unknown.size()));
  if (!bounded.empty()) approximate.quadratic_forms(bounded, feasible, kept);
  if (!unknown.empty()) problem.bank().quadratic_forms(unknown, feasible, exact);
  for (std::size_t k = 0; k < bounded.size(); ++k)
    kept(static_cast<Index>(k)) += square * approximate.missing_trace(bounded[k]);
  Vector squares(problem.n_kernels());
  squares(bounded) = kept;
  squares(unknown) = exact;
  return dual_bound_from(problem, std::move(feasible), std::move(squares));
}

std::vector<DualBound> dual_bounds(const std::vector<Problem>& problems, ConstMatrixRef rhos) {
  std::vector<DualBound> bounds;
  if (problems.empty()) return bounds;
  const Problem& first = problems.front();
  Matrix feasible(rhos.rows(), rhos.cols()), squares(first.n_kernels(), rhos.cols());
  for (Index p = 0; p < rhos.cols(); ++p) feasible.col(p) = first.feasible(rhos.col(p));
  quadratic_forms_of_many(first.bank(), feasible, squares);
  for (Index p = 0; p < rhos.cols(); ++p)
    bounds.push_back(dual_bound_from(problems[static_cast<std::size_t>(p)], feasible.col(p), squares.col(p)));
  return bounds;
}

PrimalValue primal_value(const Problem& problem, const Expansion& expansion) {
  const Index n_active = static_cast<Index>(expansion.kernels.size());
  Matrix products(problem.n_samples(), n_active);
  problem.bank().products(expansion.kernels, expansion.dual, products);
  PrimalValue primal{0, Vector(n_active), {}};
  for (Index k = 0; k < n_active; ++k) {
    primal.norms(k) = std::abs(expansion.scale(k)) * std::sqrt(std::max(expansion.dual.dot(products.col(k)), 0.0));
    primal.value += problem.regularizer().value(primal.norms(k));
  }
  primal.predictions = products * expansion.scale + Vector::Constant(problem.n_samples(), expansion.intercept);
  primal.value += problem.loss_value(primal.predictions);
  return primal;
}

Certificate certify(const Problem& problem, const Expansion& expansion) {
  return certify(problem, expansion, dual_bound(problem, expansion.dual));
}

Certificate certify(const Problem& problem, const Expansion& expansion, const DualBound& bound) {
  return certify(primal_value(problem, expansion), bound);
}

Certificate certify(PrimalValue primal, const DualBound& bound) {
  Certificate certificate;
  certificate.primal = primal.value;
  certificate.dual_objective = bound.value();
  certificate.relative_gap = relative_gap(primal.value, bound.value());
  certificate.dual = bound.dual();
  certificate.norms = std::move(primal.norms);
  certificate.predictions = std::move(primal.predictions);
  return certificate;
}

double optimality_residual(const Problem& problem, const Expansion& expansion) {
  const Regularizer& G = problem.regularizer();
  const Vector& rho = expansion.dual;
  // Predictions must be a (sub)gradient of the conjugate at ρ: measured by the Fenchel-Young gap of the loss.
  const Index n_active = static_cast<Index>(expansion.kernels.size());
  Matrix products(problem.n_samples(), n_active);
  problem.bank().products(expansion.kernels, rho, products);
  const Vector z = products * expansion.scale + Vector::Constant(problem.n_samples(), expansion.intercept);
  const Vector inside = problem.feasible(rho);
  const double loss = problem.loss_value(z);
  const double scale = std::max(primal_value(problem, expansion).value, std::numeric_limits<double>::min());
  const double fenchel = loss + problem.conjugate_value(inside) + inside.dot(z);
  // Every kernel: G(x_m) + G*(‖ρ‖_Km) = x_m ‖ρ‖_Km.
  Vector squares(problem.n_kernels());
  problem.bank().quadratic_forms(all_kernels(problem.n_kernels()), inside, squares);
  Vector norms = Vector::Zero(problem.n_kernels());
  for (Index k = 0; k < n_active; ++k)
    norms(expansion.kernels[static_cast<std::size_t>(k)]) =
        expansion.scale(k) * std::sqrt(std::max(rho.dot(products.col(k)), 0.0));
  double worst = std::max(fenchel / scale, (rho - inside).lpNorm<1>() / std::max(rho.lpNorm<1>(), 1e-300));
  for (Index m = 0; m < problem.n_kernels(); ++m) {
    const double u = std::min(std::sqrt(squares(m)), G.dual_bound());
    const double violation = std::max(std::sqrt(squares(m)) / G.dual_bound() - 1, 0.0);
    worst = std::max({worst, violation, (G.value(norms(m)) + G.conjugate(u) - norms(m) * u) / scale});
  }
  return worst;
}

}  // namespace spicymkl
