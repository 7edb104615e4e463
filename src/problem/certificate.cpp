#include "spicymkl/problem/certificate.hpp"

#include <algorithm>
#include <cmath>

#include "core/compensated_sum.hpp"
#include "core/safe_norm.hpp"
#include "rounding.hpp"

namespace spicymkl {

namespace {

constexpr double kSmallest = std::numeric_limits<double>::min();
constexpr double kUnderflow = 1e-280;  // forms below this may have lost terms to underflow

/// D(s·ρ) as a function of the scale s, for feasible ρ: −Σℓ*(−sρ_i) − ΣG*(s‖ρ‖_Km). Concave in s.
class ScaledDual {
 public:
  ScaledDual(const Problem& problem, const Vector& rho, const Vector& norms)
      : problem_(problem), rho_(rho), norms_(norms) {}

  double operator()(double s) const {
    CompensatedSum value;
    value += -problem_.conjugate_value(s * rho_);
    for (const double norm : norms_) {
      // A norm scaled onto the bound may exceed it by a rounding error.
      value += -problem_.regularizer().conjugate(std::min(s * norm, problem_.regularizer().dual_bound()));
    }
    return value.value();
  }

 private:
  const Problem& problem_;
  const Vector& rho_;
  const Vector& norms_;
};

/// The maximiser of a concave function with a finite value at 0 on [0, upper]; `upper` itself when the maximum is
/// there. A value that is not finite counts as −∞: where a power in G* overflows, the scale is too large.
double best_scale(const ScaledDual& dual, double upper) {
  const auto at = [&](double s) {
    const double value = dual(s);
    return std::isfinite(value) ? value : -std::numeric_limits<double>::infinity();
  };
  const double at_upper = at(upper);
  if (std::isfinite(at_upper) && at_upper >= at((1 - 1e-7) * upper)) return upper;
  // Halving first: golden section finds a scale to a part of its bracket, and G* with a large exponent needs it to
  // many digits however small it is.
  double middle = upper, at_middle = at_upper;
  for (double half = 0.5 * middle; half > 0; half *= 0.5) {
    const double at_half = at(half);
    if (at_half < at_middle) break;
    middle = half, at_middle = at_half;
  }
  double lower = 0.5 * middle;
  upper = std::min(2 * middle, upper);
  constexpr double kGolden = 0.6180339887498949;
  double left = upper - kGolden * (upper - lower), right = lower + kGolden * (upper - lower);
  double at_left = at(left), at_right = at(right);
  for (int step = 0; step < 60; ++step) {
    if (at_left >= at_right) {
      upper = right, right = left, at_right = at_left;
      left = upper - kGolden * (upper - lower), at_left = at(left);
    } else {
      lower = left, left = right, at_left = at_right;
      right = lower + kGolden * (upper - lower), at_right = at(right);
    }
  }
  return at_left > at_right ? left : right;
}

/// How far Σ s_i ℓ*(y_i, −ρ_i/s_i) may be off by rounding. A term is made of parts no larger than |yρ| and what is left
/// of the term without it, each known to a few units of its last digit.
double rounding_of_conjugates(const Problem& problem, const Vector& rho) {
  const double linear = problem.labels().cwiseProduct(rho).lpNorm<1>();
  return kSafety * kEpsilon * (2 * linear + std::abs(problem.conjugate_value(rho)));
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
  const double gap = std::abs(primal - dual) / std::max(std::abs(primal), kSmallest);
  return std::isfinite(gap) ? gap : std::numeric_limits<double>::infinity();
}

double relative_gap(const PrimalValue& primal, double dual) {
  const double largest = primal.largest(), proved = dual - primal.of_bound;
  if (std::isinf(largest) && std::isfinite(primal.value) && proved >= 0) return 1;  // (P′ − D)/P′ for P′ → ∞
  const double gap = std::max(largest - proved, dual - primal.value) / std::max(std::abs(largest), kSmallest);
  return std::isfinite(gap) ? gap : std::numeric_limits<double>::infinity();
}

bool is_finite(const Expansion& expansion, const Certificate& certificate) {
  // Coefficients are their products.
  const double largest_coefficient =
      expansion.scale.lpNorm<Eigen::Infinity>() * expansion.dual.lpNorm<Eigen::Infinity>();
  return expansion.dual.size() > 0 && expansion.dual.allFinite() && expansion.scale.allFinite() &&
         std::isfinite(largest_coefficient) && expansion.unpenalised.allFinite() && std::isfinite(certificate.primal) &&
         std::isfinite(certificate.dual_objective) && std::isfinite(certificate.relative_gap) &&
         certificate.dual.size() == expansion.dual.size() && certificate.dual.allFinite() &&
         certificate.norms.allFinite();
}

double rounding_of_forms(const Vector& rho) {
  // A quadratic form is known up to rounding, typically ε·trace(K)‖ρ‖²/N. The bound must hold for the exact one, and
  // for whoever checks it and sums in another order: hence some times as much.
  return kSafety * kEpsilon * rho.squaredNorm() / static_cast<double>(rho.size());
}

DualBound dual_bound_from(const Problem& problem, Vector feasible, Vector squared_norms) {
  DualBound bound;
  bound.dual_ = std::move(feasible);
  bound.norms_ = std::move(squared_norms);
  const double unit = rounding_of_forms(bound.dual_), length = safe_norm(bound.dual_);
  for (Index m = 0; m < bound.norms_.size(); ++m) {
    const double trace = problem.bank().trace(m), square = bound.norms_(m) + unit * trace;
    // Squares of the smallest numbers underflow: then ‖ρ‖_Km ≤ √trace(K_m)·‖ρ‖ is all that is known.
    bound.norms_(m) = square > kUnderflow ? std::sqrt(square) : std::sqrt(trace) * length;
  }
  const ScaledDual dual(problem, bound.dual_, bound.norms_);
  bound.scale_ = bound.norms_.allFinite() ? best_scale(dual, largest_scale(problem, bound.norms_)) : 0;
  bound.value_ = bound.scale_ > 0 ? dual(bound.scale_) : 0;
  bound.dual_ *= bound.scale_;
  bound.value_ -= rounding_of_conjugates(problem, bound.dual_);
  // ρ = 0 is always feasible, with norms 0: it is what remains of a ρ whose norms overflow, or which proves less, or
  // nothing but the smallest numbers, which have hardly a digit.
  const double at_zero = -problem.conjugate_value(Vector::Zero(bound.dual_.size()));
  if (bound.scale_ == 0 || bound.value_ < at_zero + kUnderflow) {
    bound.scale_ = 0;
    bound.dual_.setZero();
    bound.value_ = at_zero;
  }
  return bound;
}

DualBound dual_bound(const Problem& problem, ConstVectorRef rho) {
  Vector feasible = problem.feasible(rho);
  Vector squares(problem.n_kernels());
  problem.bank().quadratic_forms(all_kernels(problem.n_kernels()), feasible, squares);
  return dual_bound_from(problem, std::move(feasible), std::move(squares));
}

DualBound dual_bound(const Problem& problem, const KernelBank& approximate, ConstVectorRef rho) {
  constexpr double kNegligible = 1e-4;  // part of a form
  Vector feasible = problem.feasible(rho);
  const double square = feasible.squaredNorm(), threshold = problem.regularizer().threshold();
  std::vector<Index> bounded, unknown;
  for (Index m = 0; m < problem.n_kernels(); ++m)
    (std::isfinite(approximate.missing_trace(m)) ? bounded : unknown).push_back(m);
  Vector kept(std::ssize(bounded)), squares(problem.n_kernels());
  if (!bounded.empty()) approximate.quadratic_forms(bounded, feasible, kept);
  for (Index k = 0; k < kept.size(); ++k) {
    // What is below the threshold changes nothing, however much of it is not known.
    const double missing = square * approximate.missing_trace(bounded[k]), largest = kept(k) + missing;
    squares(bounded[k]) = largest;
    if (largest > threshold * threshold && missing > kNegligible * largest) unknown.push_back(bounded[k]);
  }
  Vector exact(std::ssize(unknown));
  if (!unknown.empty()) problem.bank().quadratic_forms(unknown, feasible, exact);
  squares(unknown) = exact;
  return dual_bound_from(problem, std::move(feasible), std::move(squares));
}

std::vector<DualBound> dual_bounds(const std::vector<Problem>& problems, ConstMatrixRef rhos) {
  std::vector<DualBound> bounds;
  if (problems.empty()) return bounds;
  const Problem& first = problems.front();
  Matrix feasible(rhos.rows(), rhos.cols()), squares(first.n_kernels(), rhos.cols());
  for (Index p = 0; p < rhos.cols(); ++p) feasible.col(p) = first.feasible(rhos.col(p));
  first.bank().quadratic_forms(all_kernels(first.n_kernels()), feasible, squares);
  for (Index p = 0; p < rhos.cols(); ++p)
    bounds.push_back(dual_bound_from(problems[p], feasible.col(p), squares.col(p)));
  return bounds;
}

namespace {

/// What the constraints of ρ may be off by, in parts of what the entries of ρ could make it.
double constraint_rounding(const Problem& problem) {
  return problem.constraints().intercept_alone() && problem.joint_loss() == nullptr ? 2 * kEpsilon : kUnsatisfied;
}

/// Σ |b_jk| Σ_i |C_ij ρ_ik|
double size_of_moments(const Problem& problem, const Matrix& b, const Vector& rho) {
  const DualConstraints absolute(problem.constraints().columns().cwiseAbs(), problem.n_outputs(), false);
  return absolute.moments(rho.cwiseAbs()).cwiseProduct(b.cwiseAbs()).sum();
}

}  // namespace

PrimalValue primal_value(const Problem& problem, const Expansion& expansion) {
  const Regularizer& G = problem.regularizer();
  const Index n_active = std::ssize(expansion.kernels);
  Matrix products(problem.n_samples(), n_active);
  problem.bank().products(expansion.kernels, expansion.dual, products);
  PrimalValue primal{0, Vector(n_active)};
  double of_norms = 0;   // square of the error that the norms bring in
  double underflow = 0;  // of powers of small norms
  const ProductRounding rounding(problem.bank(), expansion.kernels, expansion.dual);
  Vector squares(n_active);
  parallel_for(n_active, problem.bank().threads(), static_cast<double>(problem.n_samples()),
               [&](Index begin, Index end) {
                 for (Index k = begin; k < end; ++k) squares(k) = std::max(expansion.dual.dot(products.col(k)), 0.0);
               });
  for (Index k = 0; k < n_active; ++k) {
    const double scale = std::abs(expansion.scale(k)), square = squares(k);
    primal.norms(k) = scale * std::sqrt(square);
    primal.value += G.value(primal.norms(k));
    if (primal.norms(k) > 0 && G.value(primal.norms(k)) < kSmallest) underflow += kSmallest;
    of_norms += std::pow(G.value(scale * std::sqrt(square + rounding.of_form(k))) - G.value(primal.norms(k)), 2);
  }
  const Vector unpenalised = problem.unpenalised_part(expansion.unpenalised);
  primal.predictions.resize(problem.n_samples());
  parallel_for(problem.n_samples(), problem.bank().threads(), static_cast<double>(1 + n_active),
               [&](Index begin, Index end) {
                 const Index count = end - begin;
                 primal.predictions.segment(begin, count) =
                     products.middleRows(begin, count) * expansion.scale + unpenalised.segment(begin, count);
               });
  const double loss = problem.loss_value(primal.predictions);
  primal.value += loss;
  if (n_active == 0 && loss == 0) return primal;  // nothing was rounded, and nothing can be less
  // Where no kernel is active every prediction is the intercept itself, and nothing of it was rounded.
  const double largest =
      n_active == 0 ? loss
                    : problem.largest_loss_value(primal.predictions, rounding.of_sum(expansion.scale) +
                                                                         kEpsilon * unpenalised.cwiseAbs() +
                                                                         2 * kEpsilon * primal.predictions.cwiseAbs());
  // Cᵀρ = 0 holds up to rounding too, and moves the dual by |b| times as much.
  if (expansion.unpenalised.size() > 0)
    primal.of_bound = constraint_rounding(problem) *
                      size_of_moments(problem, expansion.unpenalised, problem.dual_point(primal.predictions));
  primal.rounding = std::max(largest - loss, 0.0) + std::sqrt(of_norms) + underflow + kSafety * kEpsilon * primal.value;
  return primal;
}

PrimalValue primal_value(const Problem& problem, Vector predictions, Vector norms) {
  PrimalValue primal{problem.loss_value(predictions), std::move(norms), std::move(predictions)};
  for (const double norm : primal.norms) primal.value += problem.regularizer().value(norm);
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
  certificate.relative_gap = relative_gap(primal, bound.value());
  certificate.dual = bound.dual();
  certificate.rounding = primal.rounding;
  certificate.of_bound = primal.of_bound;
  certificate.norms = std::move(primal.norms);
  certificate.predictions = std::move(primal.predictions);
  return certificate;
}

double optimality_residual(const Problem& problem, const Expansion& expansion) {
  const Regularizer& G = problem.regularizer();
  const Vector& rho = expansion.dual;
  // Predictions must be a (sub)gradient of the conjugate at ρ: measured by the Fenchel-Young gap of the loss.
  const Index n_active = std::ssize(expansion.kernels);
  Matrix products(problem.n_samples(), n_active);
  problem.bank().products(expansion.kernels, rho, products);
  const Vector z = products * expansion.scale + problem.unpenalised_part(expansion.unpenalised);
  const Vector inside = problem.feasible(rho);
  const double loss = problem.loss_value(z);
  const double scale = std::max(primal_value(problem, expansion).value, std::numeric_limits<double>::min());
  const double fenchel = loss + problem.conjugate_value(inside) + inside.dot(z);
  // Every kernel: G(x_m) + G*(‖ρ‖_Km) = x_m ‖ρ‖_Km.
  Vector squares(problem.n_kernels());
  problem.bank().quadratic_forms(all_kernels(problem.n_kernels()), inside, squares);
  Vector norms = Vector::Zero(problem.n_kernels());
  for (Index k = 0; k < n_active; ++k)
    norms(expansion.kernels[k]) = expansion.scale(k) * std::sqrt(std::max(rho.dot(products.col(k)), 0.0));
  double worst = std::max(fenchel / scale, (rho - inside).lpNorm<1>() / std::max(rho.lpNorm<1>(), 1e-300));
  for (Index m = 0; m < problem.n_kernels(); ++m) {
    const double u = std::min(std::sqrt(squares(m)), G.dual_bound());
    const double violation = std::max(std::sqrt(squares(m)) / G.dual_bound() - 1, 0.0);
    worst = std::max({worst, violation, (G.value(norms(m)) + G.conjugate(u) - norms(m) * u) / scale});
  }
  return worst;
}

}  // namespace spicymkl
