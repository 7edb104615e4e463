#include "feasible_point.hpp"

#include <algorithm>
#include <cmath>

#include "rounding.hpp"
#include "sample_loop.hpp"

namespace spicymkl {

namespace {

constexpr double kSatisfied = 1e-15;  // violation of the constraints that rounding leaves
constexpr int kMostRounds = 40;
constexpr double kAll = 0.999;  // of the way to the end of a domain

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

/// 1ᵀρ = 0 by scaling the heavier side down: never leaves the domain, which contains 0.
void balance(VectorRef output) {
  double positive = 0, negative = 0;
  for (const double value : output) (value > 0 ? positive : negative) += std::abs(value);
  if (positive == negative) return;
  const bool positive_is_heavier = positive > negative;
  const double factor = positive_is_heavier ? negative / positive : positive / negative;
  for (double& value : output)
    if ((value > 0) == positive_is_heavier) value *= factor;
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

/// Where nearly all entries are at their bounds, the others have no room for what is asked of them: all move, and those
/// that leave the domain go back, until what is left to do is little.
Vector drawn_near(const Problem& problem, Vector point) {
  constexpr double kNear = 1e-3, kShare = 1e-2;
  const DualConstraints& constraints = problem.constraints();
  for (int round = 0; round < kMostRounds && constraints.violation(point) > kNear; ++round) {
    Vector next = point;
    const Vector weights = rooms(problem, point).array() + kShare * point.lpNorm<Eigen::Infinity>();
    if (!constraints.restore(weights, next)) return point;
    point = clipped(problem, next);
  }
  return point;
}

/// Entries move onto the constraints, those with more room farther, again and again as long as some hit their bounds.
Vector moved_onto(const Problem& problem, Vector point) {
  const DualConstraints& constraints = problem.constraints();
  point = drawn_near(problem, std::move(point));
  for (int round = 0; round < kMostRounds && constraints.violation(point) > kSatisfied; ++round) {
    Vector next = point;
    if (!constraints.restore(rooms(problem, point), next)) return Vector::Zero(point.size());
    const Vector change = next - point;
    const double step = longest_step(problem, point, change);
    point += (step < 1 ? kAll * step : 1) * change;
  }
  return constraints.violation(point) <= kUnsatisfied ? point : Vector::Zero(point.size());
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
  if (!constraints.intercept_alone()) return moved_onto(problem, std::move(point));
  const Index n = problem.n_rows();
  for (Index k = 0; k < problem.n_outputs(); ++k) balance(point.segment(k * n, n));
  return point;
}

}  // namespace spicymkl
