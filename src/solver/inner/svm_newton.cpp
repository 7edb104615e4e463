#include "svm_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace spicymkl {

namespace {

constexpr int kMostSvmSteps = 200;  // if these are not enough, it is stuck
// Damping, in units of a diagonal entry: none to speak of while whole steps fit, and soon so much that the step is one
// along the gradient.
constexpr double kDampFirst = 1e-4, kDampLeast = 1e-10, kDampMost = 1e4;
constexpr double kDampLess = 0.1, kDampMore = 10;
constexpr std::array kParts = {1.0, 0.3, 0.1};  // of a step that are tried
constexpr double kShortPart = 0.3;              // from which on the step is called short
// In the same units: kernels of low rank can be factored too, and with more of it those in single precision.
constexpr double kHessianRidge = 1e-10, kHigherRidge = 10, kMostRidge = 0.1;
constexpr int kMostShifts = 100;

/// μ with Σ clamp(x_i − μ, lower_i, upper_i) = target. The sum is piecewise linear in μ: Newton's method with a
/// bracket, which may be open where bounds are infinite.
double projecting_shift(const Vector& x, const Vector& lower, const Vector& upper, double target) {
  double below = (x - upper).minCoeff(), above = (x - lower).maxCoeff(), shift = 0,
         stride = x.lpNorm<Eigen::Infinity>();
  for (int round = 0; round < kMostShifts; ++round) {
    double sum = -target, inside = 0;
    for (Index i = 0; i < x.size(); ++i) {
      const double moved = x(i) - shift;
      sum += std::clamp(moved, lower(i), upper(i));
      inside += moved > lower(i) && moved < upper(i) ? 1 : 0;
    }
    (sum > 0 ? below : above) = shift;
    if (sum == 0) break;
    double next = inside > 0 ? shift + sum / inside : HUGE_VAL;
    if (!(next >= below && next <= above)) {
      const bool closed = std::isfinite(below) && std::isfinite(above);
      next = closed ? 0.5 * (below + above) : shift + std::copysign(stride *= 2, sum);
    }
    if (next == shift) break;
    shift = next;
  }
  return shift;
}

}  // namespace

SvmNewton::SvmNewton(const Problem& problem, const std::vector<Index>& kernels, const Vector& weights,
                     ConstVectorRef rho)
    : SvmDual(problem, rho),
      mixture_(problem.bank().mixtures()->mixture(kernels, weights)),
      unit_(0),
      damping_(kDampFirst) {
  for (Index k = 0; k < weights.size(); ++k) unit_ += weights(k) * problem.bank().trace(kernels[k]);
  unit_ = (unit_ + curvature_.sum()) / static_cast<double>(rho.size());
  if (!(unit_ > 0)) unit_ = 1;  // no kernel at all
  Vector image(rho.size());
  mixture_->product(rho_, image);
  set_gradient(image);
}

double SvmNewton::multiplier() const {
  if (!problem_.fit_intercept()) return 0;
  return unit_ * projecting_shift(rho_ - gradient_ / unit_, lower_, upper_, rho_.sum());
}

std::vector<Index> SvmNewton::moving_samples(double intercept) const {
  std::vector<Index> samples;
  for (Index i = 0; i < rho_.size(); ++i) {
    const double slope = gradient_(i) + intercept;
    if (slope < 0 ? can_rise(i) : can_fall(i)) samples.push_back(i);
  }
  return samples;
}

bool SvmNewton::newton_step(const std::vector<Index>& samples, double intercept, Vector& step) {
  Matrix solution(std::ssize(samples), problem_.fit_intercept() ? 2 : 1);
  solution.col(0) = -(gradient_(samples).array() + intercept);
  if (problem_.fit_intercept()) solution.col(1).setOnes();
  while (!mixture_->factor(samples, curvature_(samples).array() + damping_ * unit_)) {
    if (damping_ >= kDampMost) return false;
    damping_ = std::max(kDampFirst, kDampMore * damping_);
  }
  mixture_->solve(solution);
  step = solution.col(0);
  if (problem_.fit_intercept()) step -= solution.col(1) * (step.sum() / solution.col(1).sum());  // 1ᵀΔ = 0
  return step.allFinite();
}

Vector SvmNewton::projected(const std::vector<Index>& samples, ConstVectorRef step) const {
  const Vector from = rho_(samples), lower = lower_(samples), upper = upper_(samples);
  Vector x = from + step;
  if (!problem_.fit_intercept()) return x.cwiseMax(lower).cwiseMin(upper) - from;
  const double shift = projecting_shift(x, lower, upper, from.sum());
  x = (x.array() - shift).cwiseMax(lower.array()).cwiseMin(upper.array());
  // A huge step loses digits of its sum, which those that it leaves inside make up for.
  const Eigen::ArrayXd inside = (x.array() > lower.array() && x.array() < upper.array()).cast<double>();
  if (inside.sum() > 0) x.array() += inside * ((from - x).sum() / inside.sum());
  return x.cwiseMax(lower).cwiseMin(upper) - from;
}

double SvmNewton::move_along(const std::vector<Index>& samples, const Vector& step) {
  Matrix directions = Matrix::Zero(rho_.size(), kParts.size()), images(rho_.size(), kParts.size());
  for (std::size_t p = 0; p < kParts.size(); ++p)
    directions(samples, static_cast<Index>(p)) = projected(samples, kParts[p] * step);
  mixture_->product(directions, images);
  images += curvature_.asDiagonal() * directions;
  double best = 0, length = 0;
  Index chosen = -1;
  for (Index p = 0; p < directions.cols(); ++p) {
    const double slope = gradient_.dot(directions.col(p)), curvature = images.col(p).dot(directions.col(p));
    if (!(slope < 0)) continue;
    const double t = -slope < curvature ? -slope / curvature : 1, change = t * slope + t * t * curvature / 2;
    if (change < best) best = change, length = t, chosen = p;
  }
  if (chosen < 0) return 0;
  rho_ = (rho_ + length * directions.col(chosen)).cwiseMax(lower_).cwiseMin(upper_);
  gradient_ += length * images.col(chosen);
  return length * kParts[static_cast<std::size_t>(chosen)];
}

bool SvmNewton::minimise(double gap, const std::function<bool()>& stop) {
  Vector step;
  for (int round = 0; round < kMostSvmSteps; ++round) {
    if (duality_gap() <= gap) return true;
    if (stop && stop()) return false;
    const double intercept = multiplier();
    const std::vector<Index> samples = moving_samples(intercept);
    if (samples.empty() || !newton_step(samples, intercept, step)) return false;
    const double length = move_along(samples, step);
    if (length == 0 && damping_ >= kDampMost) return false;
    damping_ = length <= kShortPart ? std::min(std::max(kDampFirst, kDampMore * damping_), kDampMost)
                                    : std::max(kDampLess * damping_, kDampLeast);
  }
  return false;
}

bool SvmNewton::value_hessian(ConstMatrixRef images, Matrix& H) {
  const std::vector<Index> free = free_samples();
  if (free.size() < 2) return false;
  double ridge = kHessianRidge;
  while (!mixture_->factor(free, curvature_(free).array() + ridge * unit_))
    if ((ridge *= kHigherRidge) > kMostRidge) return false;
  const Matrix U = images(free, Eigen::all);
  Matrix solution(U.rows(), U.cols() + 1);  // with A⁻¹1 in the end
  solution.leftCols(U.cols()) = U;
  solution.rightCols(1).setOnes();
  mixture_->solve(solution);
  H = U.transpose() * solution.leftCols(U.cols());
  H = 0.5 * (H + H.transpose()).eval();
  if (!problem_.fit_intercept()) return true;
  const Vector ones = U.transpose() * solution.rightCols(1);
  H -= ones * ones.transpose() / solution.rightCols(1).sum();
  return true;
}

}  // namespace spicymkl
