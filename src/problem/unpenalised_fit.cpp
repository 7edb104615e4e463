#include "unpenalised_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sample_loop.hpp"

namespace spicymkl {

namespace {

constexpr int kMostSteps = 100;
constexpr double kConverged = 1e-14;  // of a decrease, relative to the loss
constexpr double kArmijo = 1e-4;
constexpr int kHalvings = 50;
constexpr int kDoublings = 1100;  // as many exceed every number
constexpr int kMostNarrowings = 200;

constexpr double kAtTheEnds = 1e-6;  // of the curvature inside a domain

/// What coefficients without a penalty are fitted to: the whole of a joint loss, one output of any other, whose outputs
/// know nothing of each other.
class FittedLoss {
 public:
  explicit FittedLoss(const Problem& problem) : problem_(problem), first_(0), count_(problem.n_samples()) {}
  FittedLoss(const Problem& problem, Index output)
      : problem_(problem), first_(output * problem.n_rows()), count_(problem.n_rows()) {}

  double value(const Vector& z) const {
    if (problem_.joint_loss() != nullptr) return problem_.joint_loss()->value(z);
    return sum_over_samples(problem_, first_, count_, [&](Index i) {
      return problem_.sample_weights()(i) * problem_.loss().value(problem_.labels()(i), z(i - first_));
    });
  }

  Vector dual_point(const Vector& z) const {
    if (problem_.joint_loss() != nullptr) return problem_.joint_loss()->dual_point(z);
    Vector rho(count_);
    for_each([&](Index i) {
      rho(i - first_) = problem_.sample_weights()(i) * problem_.loss().dual_point(problem_.labels()(i), z(i - first_));
    });
    return rho;
  }

  /// ∇²L·U from the primal side: 1/∂²ℓ* inside the domain of ρ. At its ends, where the loss is straight, a little of
  /// that: too few entries inside would leave steps without an end.
  Matrix curvature_product(const Vector& z, const Matrix& U) const {
    if (problem_.joint_loss() != nullptr) return problem_.joint_loss()->curvature_product(z, U);
    Vector h(count_);
    for_each([&](Index i) {
      const double y = problem_.labels()(i), rho = problem_.loss().dual_point(y, z(i - first_));
      const Interval domain = problem_.loss().dual_domain(y);
      const double curvature = problem_.loss().smooth_conjugate(y, rho, 0).d_rho_rho;
      const double part = rho > domain.lower && rho < domain.upper ? 1 : kAtTheEnds;
      h(i - first_) = curvature > 0 ? part * problem_.sample_weights()(i) / curvature : 0;
    });
    return h.asDiagonal() * U;
  }

 private:
  template <class Body>
  void for_each(const Body& body) const {
    parallel_for(count_, threads_over_samples(problem_), kSampleCost, [&](Index begin, Index end) {
      for (Index i = first_ + begin; i < first_ + end; ++i) body(i);
    });
  }

  const Problem& problem_;
  Index first_, count_;
};

/// I_K ⊗ C
Matrix all_columns(const DualConstraints& constraints) {
  const Index n = constraints.n_samples(), c = constraints.n_columns(), outputs = constraints.n_outputs();
  Matrix U = Matrix::Zero(n * outputs, c * outputs);
  for (Index k = 0; k < outputs; ++k) U.block(k * n, k * c, n, c) = constraints.columns();
  return U;
}

/// Damped Newton steps from b on, which becomes the minimiser.
void minimise(const FittedLoss& loss, ConstVectorRef f, const Matrix& U, VectorRef b) {
  Vector z = f + U * b;
  double value = loss.value(z);
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector gradient = -(U.transpose() * loss.dual_point(z));
    Matrix H = U.transpose() * loss.curvature_product(z, U);
    // Directions that change nothing, as a common shift of all classes, have no curvature.
    constexpr double kRidge = 1e-12, kLeastRidge = 1e-300;
    H.diagonal().array() += kRidge * H.diagonal().maxCoeff() + kLeastRidge;
    const Vector direction = -H.ldlt().solve(gradient);
    const double slope = gradient.dot(direction);
    if (!(slope < 0) || !direction.allFinite()) return;
    double c = 1, next = value;
    Vector trial;
    for (int halving = 0; halving < kHalvings; ++halving, c /= 2) {
      trial = z + c * (U * direction);
      next = loss.value(trial);
      if (next <= value + kArmijo * c * slope) break;
    }
    if (!(next < value)) {
      if (-slope > kConverged * std::abs(value)) return;
      // Below the rounding of the loss a last full step still takes the gradient to its own.
      const Vector last = f + U * (b + direction);
      if ((U.transpose() * loss.dual_point(last)).norm() < gradient.norm()) b += direction;
      return;
    }
    b += c * direction;
    z = trial;
    value = next;
  }
}

/// The same for all outputs, a column of b for each.
void minimise(const Problem& problem, ConstVectorRef f, Matrix& b) {
  const DualConstraints& constraints = problem.constraints();
  if (problem.joint_loss() != nullptr) {
    // A constant that the loss ignores has neither slope nor curvature but by rounding: it stays as it is.
    const Index fitted = b.size() - (problem.joint_loss()->ignores_constants() ? 1 : 0);
    if (fitted == 0) return;
    Eigen::Map<Vector> coefficients(b.data(), b.size());
    minimise(FittedLoss(problem), f, all_columns(constraints).rightCols(fitted), coefficients.tail(fitted));
    return;
  }
  const Index n = problem.n_rows();
  for (Index k = 0; k < b.cols(); ++k)
    minimise(FittedLoss(problem, k), f.segment(k * n, n), constraints.columns(), b.col(k));
}

/// A place and what a function is there.
struct Root {
  double at, value;
};

/// Neighbouring numbers between which a non-increasing function changes its sign, which it does between `lower` and
/// `upper`: by the method of Chandrupatla (1997), inverse quadratic interpolation where three points suggest a smooth
/// function and bisection elsewhere.
template <class Function>
Interval narrowed(const Function& function, Root lower, Root upper) {
  constexpr double kLeastStep = 4e-16;  // relative to the place, so that both ends move
  Root newest = lower, other = upper;
  double part = 0.5;
  for (int step = 0; step < kMostNarrowings; ++step) {
    double at = newest.at + part * (other.at - newest.at);
    const auto [low, high] = std::minmax(newest.at, other.at);
    if (!(at > low && at < high)) at = low + 0.5 * (high - low);
    if (at <= low || at >= high) break;
    const Root next{at, function(at)};
    const bool same_side = (next.value >= 0) == (newest.value >= 0);
    const Root last = same_side ? newest : other;
    if (!same_side) other = newest;
    newest = next;
    const double x = (newest.at - other.at) / (last.at - other.at);
    const double y = (newest.value - other.value) / (last.value - other.value);
    const bool smooth = y * y < x && (1 - y) * (1 - y) < 1 - x;
    part = !smooth ? 0.5
                   : newest.value / (other.value - newest.value) * last.value / (other.value - last.value) +
                         (last.at - newest.at) / (other.at - newest.at) * newest.value / (last.value - newest.value) *
                             other.value / (last.value - other.value);
    const double least = std::min(0.5, kLeastStep * std::abs(newest.at / (other.at - newest.at)));
    part = std::clamp(part, least, 1 - least);
  }
  return {std::min(newest.at, other.at), std::max(newest.at, other.at)};
}

}  // namespace

Interval intercept_bracket(const Problem& problem, Index output, ConstVectorRef f) {
  // Σρ_i(b) is non-increasing in b; the minimiser of the loss is where it crosses zero.
  const auto sum_of_duals = [&](double b) {
    return sum_over_samples(problem, output * problem.n_rows(), problem.n_rows(), [&](Index i) {
      return problem.sample_weights()(i) * problem.loss().dual_point(problem.labels()(i), f(i) + b);
    });
  };
  Root lower{-1, sum_of_duals(-1)}, upper{1, sum_of_duals(1)};
  for (int k = 0; k < kDoublings && lower.value < 0; ++k) lower = {2 * lower.at, sum_of_duals(2 * lower.at)};
  for (int k = 0; k < kDoublings && upper.value > 0; ++k) upper = {2 * upper.at, sum_of_duals(2 * upper.at)};
  return narrowed(sum_of_duals, lower, upper);
}

Matrix best_intercepts(const Problem& problem, ConstVectorRef f) {
  Matrix b(1, problem.n_outputs());
  for (Index k = 0; k < problem.n_outputs(); ++k) {
    const Interval bracket = intercept_bracket(problem, k, f);
    const auto loss_at = [&](double shift) {
      return sum_over_samples(problem, k * problem.n_rows(), problem.n_rows(), [&](Index i) {
        return problem.sample_weights()(i) * problem.loss().value(problem.labels()(i), f(i) + shift);
      });
    };
    b(0, k) = loss_at(bracket.lower) <= loss_at(bracket.upper) ? bracket.lower : bracket.upper;
  }
  return b;
}

UnpenalisedFit best_coefficients(const Problem& problem, ConstVectorRef f) {
  Matrix b = Matrix::Zero(problem.constraints().n_columns(), problem.n_outputs());
  Vector dual;
  if (problem.loss().smoothed(1) == nullptr) {
    minimise(problem, f, b);
    dual = problem.dual_point(f + problem.unpenalised_part(b));
    return {std::move(b), std::move(dual)};
  }
  // From far to near: the size of a prediction is that of the labels, or of f.
  constexpr double kFactor = 10, kNearest = 1e-9, kInside = 1e-3;
  const double size = problem.labels().lpNorm<Eigen::Infinity>() + f.lpNorm<Eigen::Infinity>();
  for (double width = 1; width > kNearest; width /= kFactor) {
    const Problem smooth = problem.with_loss(problem.loss().smoothed(width * size));
    minimise(smooth, f, b);
    if (width > kInside) dual = smooth.dual_point(f + problem.unpenalised_part(b));
  }
  return {std::move(b), std::move(dual)};
}

}  // namespace spicymkl
