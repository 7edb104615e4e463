#include "feasible_point.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/row_sums.hpp"
#include "rounding.hpp"
#include "sample_loop.hpp"

namespace spicymkl {

namespace {

constexpr double kSatisfied = 1e-15;  // violation of the constraints that rounding leaves
constexpr int kMostRounds = 40;
constexpr double kAll = 0.999;        // of the way to the end of a domain
constexpr double kNear = 1e-3;        // violation that is taken up by entries with room
constexpr double kNextToNothing = 4;  // multiplications that it takes to scale an entry

/// The domain of ρ_i, with its sample weight.
Interval domain_of(const Problem& problem, Index i) {
  const Interval domain = problem.loss().dual_domain(problem.labels()(i));
  const double s = problem.sample_weights()(i);
  return {s * domain.lower, s * domain.upper};
}

Vector clipped(const Problem& problem, ConstVectorRef rho) {
  Vector point(rho.size());
  for_each_sample(problem, [&](Index i) {
    const Interval domain = domain_of(problem, i);
    point(i) = std::clamp(rho(i), domain.lower, domain.upper);
    if (!std::isfinite(point(i))) point(i) = 0;
  });
  return point;
}

/// 1ᵀρ = 0 for one output by scaling the heavier side down: never leaves the domain, which contains 0.
void balance(const Problem& problem, Index output, Vector& point) {
  const Index n = problem.n_rows(), first = output * n;
  RowSums<2> sides;
  sides.sum(1, n, problem.bank().threads(), [&](Index, Index begin, Index count) -> RowSums<2>::Sums {
    double positive = 0, negative = 0;
    for (const double value : point.segment(first + begin, count)) (value > 0 ? positive : negative) += std::abs(value);
    return {positive, negative};
  });
  const double positive = sides.of(0)(0), negative = sides.of(0)(1);
  if (positive == negative) return;
  const bool positive_is_heavier = positive > negative;
  const double factor = positive_is_heavier ? negative / positive : positive / negative;
  parallel_for(n, problem.bank().threads(), kNextToNothing, [&](Index begin, Index end) {
    for (double& value : point.segment(first + begin, end - begin))
      if ((value > 0) == positive_is_heavier) value *= factor;
  });
}

/// How far each entry may move either way, as the weight that it moves with.
Vector rooms(const Problem& problem, const Vector& point) {
  const double unbounded = point.lpNorm<Eigen::Infinity>() + 1;
  Vector room(point.size());
  for (Index i = 0; i < point.size(); ++i) {
    const Interval domain = domain_of(problem, i);
    const double below = point(i) - domain.lower, above = domain.upper - point(i);
    room(i) = std::min({std::max(below, 0.0), std::max(above, 0.0), unbounded});
  }
  return room;
}

double longest_step(const Problem& problem, const Vector& point, const Vector& change) {
  double step = 1;
  for (Index i = 0; i < point.size(); ++i) {
    const Interval domain = domain_of(problem, i);
    const double room = change(i) > 0 ? domain.upper - point(i) : domain.lower - point(i);
    if (std::abs(change(i)) * step > std::abs(room)) step = room / change(i);
  }
  return std::max(step, 0.0);
}

/// ρ(λ) = clip(ρ₀ − WCλ): the point of the domain with Cᵀρ = 0 that is nearest to ρ₀ of one output, W being the weights
/// of the samples, at the λ that minimises a convex function with the gradient −Cᵀρ(λ).
class Projection {
 public:
  Projection(const Problem& problem, Index output, const Vector& point)
      : C_(problem.constraints().columns()), start_(point), lower_(point.size()), upper_(point.size()) {
    const Index first = output * problem.n_rows();
    weights_ = problem.sample_weights().segment(first, point.size());
    for (Index i = 0; i < point.size(); ++i) {
      const Interval domain = domain_of(problem, first + i);
      lower_(i) = domain.lower, upper_(i) = domain.upper;
    }
  }

  Vector nearest() const {
    constexpr double kRidge = 1e-10;
    Vector lambda = Vector::Zero(C_.cols()), rho = start_;
    for (int round = 0; round < kMostRounds; ++round) {
      const Vector moments = C_.transpose() * rho, sizes = C_.cwiseAbs().transpose() * rho.cwiseAbs();
      if ((moments.array().abs() <= kSatisfied * sizes.array()).all()) break;
      const Vector inside =
          (rho.array() > lower_.array() && rho.array() < upper_.array()).select(weights_, kRidge * weights_);
      const Matrix H = C_.transpose() * inside.asDiagonal() * C_;
      const Vector direction = H.ldlt().solve(moments);
      if (!direction.allFinite()) break;
      lambda += step_along(lambda, direction) * direction;
      rho = at(lambda);
    }
    return rho;
  }

 private:
  Vector at(const Vector& lambda) const {
    return (start_ - weights_.cwiseProduct(C_ * lambda)).cwiseMax(lower_).cwiseMin(upper_);
  }

  /// 1, or where the slope −ρᵀCd, which rises along the direction, is 0 before that.
  double step_along(const Vector& lambda, const Vector& direction) const {
    constexpr int kHalvings = 40;
    const Vector image = C_ * direction;
    const auto falls = [&](double step) { return at(lambda + step * direction).dot(image) > 0; };
    double low = 0, high = 1;
    if (falls(high)) return high;
    for (int halving = 0; halving < kHalvings; ++halving) {
      const double middle = 0.5 * (low + high);
      (falls(middle) ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  const Matrix& C_;
  Vector start_, weights_, lower_, upper_;
};

Vector projected(const Problem& problem, Vector point) {
  const Index n = problem.n_rows();
  for (Index k = 0; k < problem.n_outputs(); ++k)
    point.segment(k * n, n) = Projection(problem, k, point.segment(k * n, n)).nearest();
  return point;
}

/// Entries move onto the constraints, those with more room farther, again and again as long as some hit their bounds.
Vector moved_onto(const Problem& problem, Vector point) {
  const DualConstraints& constraints = problem.constraints();
  if (problem.constraints().violation(point) > kNear) point = projected(problem, std::move(point));
  for (int round = 0; round < kMostRounds && constraints.violation(point) > kSatisfied; ++round) {
    Vector next = point;
    if (!constraints.restore(rooms(problem, point), next)) return Vector::Zero(point.size());
    const Vector change = next - point;
    const double step = longest_step(problem, point, change);
    point += (step < 1 ? kAll * step : 1) * change;
  }
  return constraints.violation(point) <= kUnsatisfied ? point : Vector::Zero(point.size());
}

/// ρ of a smooth loss belongs to predictions z = ∇ℓ*; with the best b added to these, Cᵀρ = 0, and no entry comes to
/// the end of its domain, where the conjugate is steep. Empty where z is not finite.
Vector answered_again(const Problem& problem, const Vector& point) {
  Vector z(point.size());
  for (Index i = 0; i < z.size(); ++i)
    z(i) = -problem.loss().smooth_conjugate(problem.labels()(i), point(i) / problem.sample_weights()(i), 0).d_rho;
  if (!z.allFinite()) return {};
  Vector again = problem.dual_point(z + problem.unpenalised_part(problem.best_unpenalised(z)));
  return again.allFinite() ? again : Vector();
}

/// ρ belongs to predictions z; with the best b added to these, the dual point satisfies Cᵀρ_k = 0 as well.
Vector refitted(const Problem& problem, ConstVectorRef rho) {
  const JointLoss& joint = *problem.joint_loss();
  const Vector finite = rho.array().isFinite().select(rho, 0);
  const Vector z = joint.answering(finite);
  Vector point = joint.dual_point(z + problem.unpenalised_part(problem.best_unpenalised(z)));
  const DualConstraints& constraints = problem.constraints();
  for (int round = 0; round < 3 && constraints.violation(point) > kSatisfied; ++round) {
    Vector next = point;
    const Vector weights = joint.conjugate_curvature(point).diagonal.cwiseInverse();
    if (!constraints.restore(weights, next) || !std::isfinite(joint.conjugate(next))) break;
    point = std::move(next);
  }
  const bool satisfied = point.allFinite() && constraints.violation(point) <= kUnsatisfied;
  return satisfied ? point : Vector::Zero(rho.size());
}

}  // namespace

Vector feasible_point(const Problem& problem, ConstVectorRef rho) {
  if (problem.joint_loss() != nullptr) return refitted(problem, rho);
  Vector point = clipped(problem, rho);
  const DualConstraints& constraints = problem.constraints();
  if (constraints.empty()) return point;
  if (!constraints.intercept_alone()) {
    const bool steep = problem.loss().n_constraints() == 0 && constraints.violation(point) > kNear;
    if (Vector again = steep ? answered_again(problem, point) : Vector(); again.size() > 0) point = std::move(again);
    return moved_onto(problem, std::move(point));
  }
  for (Index k = 0; k < problem.n_outputs(); ++k) balance(problem, k, point);
  return point;
}

}  // namespace spicymkl
