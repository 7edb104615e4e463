#include "unpenalised_fit.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace spicymkl {

namespace {

constexpr int kMostSteps = 100;
constexpr double kConverged = 1e-14;  // of a decrease, relative to the loss
constexpr double kArmijo = 1e-4;
constexpr int kHalvings = 50;

constexpr double kAtTheEnds = 1e-6;  // of the curvature inside a domain

/// ∇²L·U for the columns U of all outputs, from the primal side: 1/∂²ℓ* inside the domain of ρ. At its ends, where the
/// loss is straight, a little of that: too few entries inside would leave steps without an end.
Matrix curvature_product(const Problem& problem, const Vector& z, const Matrix& U) {
  if (problem.joint_loss() != nullptr) return problem.joint_loss()->curvature_product(z, U);
  Vector h(z.size());
  for (Index i = 0; i < z.size(); ++i) {
    const double y = problem.labels()(i), rho = problem.loss().dual_point(y, z(i));
    const Interval domain = problem.loss().dual_domain(y);
    const double curvature = problem.loss().smooth_conjugate(y, rho, 0).d_rho_rho;
    const double part = rho > domain.lower && rho < domain.upper ? 1 : kAtTheEnds;
    h(i) = curvature > 0 ? part * problem.sample_weights()(i) / curvature : 0;
  }
  return h.asDiagonal() * U;
}

/// I_K ⊗ C
Matrix all_columns(const DualConstraints& constraints) {
  const Index n = constraints.n_samples(), c = constraints.n_columns(), outputs = constraints.n_outputs();
  Matrix U = Matrix::Zero(n * outputs, c * outputs);
  for (Index k = 0; k < outputs; ++k) U.block(k * n, k * c, n, c) = constraints.columns();
  return U;
}

/// Damped Newton steps from b on, which becomes the minimiser.
void minimise(const Problem& problem, ConstVectorRef f, const Matrix& U, Vector& b) {
  Vector z = f + U * b;
  double value = problem.loss_value(z);
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector gradient = -(U.transpose() * problem.dual_point(z));
    Matrix H = U.transpose() * curvature_product(problem, z, U);
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
      next = problem.loss_value(trial);
      if (next <= value + kArmijo * c * slope) break;
    }
    if (!(next < value)) {
      if (-slope > kConverged * std::abs(value)) return;
      // Below the rounding of the loss a last full step still takes the gradient to its own.
      const Vector last = f + U * (b + direction);
      if ((U.transpose() * problem.dual_point(last)).norm() < gradient.norm()) b += direction;
      return;
    }
    b += c * direction;
    z = trial;
    value = next;
  }
}

}  // namespace

Interval intercept_bracket(const Problem& problem, Index output, ConstVectorRef f) {
  // Σρ_i(b) is non-increasing in b; the minimiser of the loss is where it crosses zero.
  const Index first = output * problem.n_rows(), end = first + problem.n_rows();
  const auto sum_of_duals = [&](double b) {
    double sum = 0;
    for (Index i = first; i < end; ++i)
      sum += problem.sample_weights()(i) * problem.loss().dual_point(problem.labels()(i), f(i) + b);
    return sum;
  };
  double lower = -1, upper = 1;
  for (int k = 0; k < 1100 && sum_of_duals(lower) < 0; ++k) lower *= 2;
  for (int k = 0; k < 1100 && sum_of_duals(upper) > 0; ++k) upper *= 2;
  for (int k = 0; k < 200; ++k) {
    const double middle = lower + 0.5 * (upper - lower);
    if (middle <= lower || middle >= upper) break;
    (sum_of_duals(middle) >= 0 ? lower : upper) = middle;
  }
  return {lower, upper};
}

Matrix best_intercepts(const Problem& problem, ConstVectorRef f) {
  Matrix b(1, problem.n_outputs());
  for (Index k = 0; k < problem.n_outputs(); ++k) {
    const Interval bracket = intercept_bracket(problem, k, f);
    Matrix lower = Matrix::Zero(1, problem.n_outputs()), upper = lower;  // the other outputs do not matter
    lower(0, k) = bracket.lower, upper(0, k) = bracket.upper;
    const double at_lower = problem.loss_value(f + problem.unpenalised_part(lower));
    const double at_upper = problem.loss_value(f + problem.unpenalised_part(upper));
    b(0, k) = at_lower <= at_upper ? bracket.lower : bracket.upper;
  }
  return b;
}

UnpenalisedFit best_coefficients(const Problem& problem, ConstVectorRef f) {
  const DualConstraints& constraints = problem.constraints();
  const Matrix U = all_columns(constraints);
  Vector b = Vector::Zero(U.cols());
  Vector dual;
  const auto shaped = [&] {
    return Matrix(Eigen::Map<const Matrix>(b.data(), constraints.n_columns(), constraints.n_outputs()));
  };
  if (problem.loss().smoothed(1) == nullptr) {
    minimise(problem, f, U, b);
    return {shaped(), problem.dual_point(f + U * b)};
  }
  // From far to near: the size of a prediction is that of the labels, or of f.
  constexpr double kFactor = 10, kNearest = 1e-9, kInside = 1e-3;
  const double size = problem.labels().lpNorm<Eigen::Infinity>() + f.lpNorm<Eigen::Infinity>();
  for (double width = 1; width > kNearest; width /= kFactor) {
    const Problem smooth = problem.with_loss(problem.loss().smoothed(width * size));
    minimise(smooth, f, U, b);
    if (width > kInside) dual = smooth.dual_point(f + U * b);
  }
  return {shaped(), std::move(dual)};
}

}  // namespace spicymkl
