#include "sample_terms.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/monotone_root.hpp"
#include "problem/sample_loop.hpp"

namespace spicymkl {

namespace {

constexpr double kStayInside = 0.99;  // of the way to the boundary of a smooth domain
constexpr double kFarthest = 3;       // that a curved step takes predictions: dual values change by some e³ at most

constexpr double kStiffest = 1e8;

/// Predictions have no boundary: along z + tΔz, with z those that ρ answers to and Δz = −∇²L*·Δ, −∇L begins like ρ + tΔ
/// and stays in the domain, whatever its shape.
Vector curved(const JointLoss& joint, ConstVectorRef rho, ConstVectorRef direction) {
  const JointLoss::Curvature H = joint.conjugate_curvature(rho);
  const Vector change = H.diagonal.cwiseProduct(direction) + H.nested.product(direction);
  const double t = std::min(1.0, kFarthest / change.lpNorm<Eigen::Infinity>());
  return joint.dual_point(joint.answering(rho) - t * change) - rho;
}

}  // namespace

SampleTerms::SampleTerms(const Problem& problem)
    : problem_(problem),
      xi_(Matrix::Zero(problem.n_samples(), problem.loss().n_constraints())),
      aux_(Vector::Zero(problem.n_samples())) {}

void SampleTerms::set_multipliers(Matrix xi) {
  if (xi.rows() == xi_.rows() && xi.cols() == xi_.cols()) xi_ = std::move(xi);
}

DualTerm SampleTerms::augmented(Index i, double r, double aux) const {
  const Loss& loss = problem_.loss();
  const double y = problem_.labels()(i);
  DualTerm sum = loss.smooth_conjugate(y, r, aux);
  for (int j = 0; j < loss.n_constraints(); ++j) {
    const DualTerm h = loss.constraint(j, y, r, aux);
    const double t = xi_(i, j) + gamma_ * h.value;
    if (t <= 0) continue;
    sum.value += t * t / (2 * gamma_);
    sum.d_rho += t * h.d_rho;
    sum.d_aux += t * h.d_aux;
    sum.d_rho_rho += gamma_ * h.d_rho * h.d_rho + t * h.d_rho_rho;
    sum.d_rho_aux += gamma_ * h.d_rho * h.d_aux + t * h.d_rho_aux;
    sum.d_aux_aux += gamma_ * h.d_aux * h.d_aux + t * h.d_aux_aux;
  }
  return sum;
}

double SampleTerms::minimise_auxiliary(Index i, double r) const {
  const auto slope = [&](double aux) {
    const DualTerm term = augmented(i, r, aux);
    return SlopedValue{term.d_aux, term.d_aux_aux};
  };
  return monotone_root_near(slope, aux_(i), 1);
}

CurvedValue SampleTerms::evaluate(Index i, double rho) {
  // A sample weight s turns ψ(ρ) into s·ψ(ρ/s).
  const double s = problem_.sample_weights()(i);
  const double r = rho / s;
  if (problem_.loss().has_auxiliary()) aux_(i) = minimise_auxiliary(i, r);
  const DualTerm term = augmented(i, r, aux_(i));
  // Minimising ρ̃ out leaves the Schur complement as curvature.
  const double eliminated = term.d_aux_aux > 0 ? term.d_rho_aux * term.d_rho_aux / term.d_aux_aux : 0;
  return {s * term.value, term.d_rho, (term.d_rho_rho - eliminated) / s};
}

double SampleTerms::evaluate_joint(ConstVectorRef rho, VectorRef gradient, Vector* curvature) {
  const JointLoss& joint = *problem_.joint_loss();
  gradient = -joint.answering(rho);
  if (curvature != nullptr) {
    JointLoss::Curvature whole = joint.conjugate_curvature(rho);
    slack_ = whole.diagonal.cwiseInverse();
    *curvature = std::move(whole.diagonal);
    nested_ = std::move(whole.nested);
  }
  return joint.conjugate(rho);
}

double SampleTerms::value_and_gradient(ConstVectorRef rho, VectorRef gradient, Vector* curvature) {
  if (problem_.joint_loss() != nullptr) return evaluate_joint(rho, gradient, curvature);
  return sum_over_samples(problem_, [&](Index i) {
    const CurvedValue term = evaluate(i, rho(i));
    gradient(i) = term.slope;
    if (curvature != nullptr) (*curvature)(i) = term.curvature;
    return term.value;
  });
}

double SampleTerms::answer_of(Index i, double z) {
  const double s = problem_.sample_weights()(i), y = problem_.labels()(i);
  const double start = s * problem_.loss().dual_point(y, z);
  if (!has_multipliers()) {
    constexpr double kInside = 1e-9;  // a smooth conjugate may be infinitely steep at the boundary
    const Interval domain = problem_.loss().smooth_domain(y);
    if (!std::isfinite(domain.lower) || !std::isfinite(domain.upper)) return start;
    const double margin = kInside * (domain.upper - domain.lower);
    return s * std::clamp(start / s, domain.lower + margin, domain.upper - margin);
  }
  const auto slope = [&](double rho) {
    const CurvedValue term = evaluate(i, rho);
    return SlopedValue{term.slope + z, term.curvature};
  };
  return monotone_root_near(slope, start, s);
}

Vector SampleTerms::answer(ConstVectorRef z) {
  if (problem_.joint_loss() != nullptr) return problem_.dual_point(z);
  Vector rho(z.size());
  for_each_sample(problem_, [&](Index i) { rho(i) = answer_of(i, z(i)); });
  update_multipliers(rho);
  return rho;
}

Vector SampleTerms::sharp_answer(ConstVectorRef z) const {
  constexpr double kOfZero = 1e-30, kRelative = 1e-15;
  Vector rho = problem_.dual_point(z);
  if (problem_.joint_loss() != nullptr) return rho;
  const auto margin = [=](double end) { return std::max(kOfZero, kRelative * std::abs(end)); };
  for_each_sample(problem_, [&](Index i) {
    const double s = problem_.sample_weights()(i);
    const Interval domain = problem_.loss().smooth_domain(problem_.labels()(i));
    if (std::isfinite(domain.lower)) rho(i) = std::max(rho(i), s * (domain.lower + margin(domain.lower)));
    if (std::isfinite(domain.upper)) rho(i) = std::min(rho(i), s * (domain.upper - margin(domain.upper)));
  });
  return rho;
}

double SampleTerms::next_multiplier(Index i, int j, double r) const {
  const DualTerm h = problem_.loss().constraint(j, problem_.labels()(i), r, aux_(i));
  return std::max(0.0, xi_(i, j) + gamma_ * h.value);
}

double SampleTerms::multiplier_movement(ConstVectorRef rho) const {
  if (xi_.cols() == 0) return 0;
  return sum_over_samples(problem_, [&](Index i) {
    const double s = problem_.sample_weights()(i);
    double movement = 0;
    for (int j = 0; j < static_cast<int>(xi_.cols()); ++j) {
      const double change = next_multiplier(i, j, rho(i) / s) - xi_(i, j);
      movement += s * change * change / (2 * gamma_);
    }
    return movement;
  });
}

void SampleTerms::update_multipliers(ConstVectorRef rho) {
  if (xi_.cols() == 0) return;
  for_each_sample(problem_, [&](Index i) {
    for (int j = 0; j < static_cast<int>(xi_.cols()); ++j)
      xi_(i, j) = next_multiplier(i, j, rho(i) / problem_.sample_weights()(i));
  });
}

Vector SampleTerms::inside(ConstVectorRef rho, ConstVectorRef direction) const {
  if (const JointLoss* joint = problem_.joint_loss()) return curved(*joint, rho, direction);
  Vector bent = direction;
  for (Index i = 0; i < rho.size(); ++i) {
    const Interval domain = problem_.loss().smooth_domain(problem_.labels()(i));
    const double s = problem_.sample_weights()(i);
    bent(i) = std::clamp(bent(i), kStayInside * (s * domain.lower - rho(i)), kStayInside * (s * domain.upper - rho(i)));
  }
  return bent;
}

bool SampleTerms::stiffen(ConstVectorRef rho, ConstVectorRef direction, Vector& curvature) {
  if (problem_.joint_loss() == nullptr) return false;
  // The conjugates of joint losses are sums of x log x, of entries and of sums of entries, whose curvature 1/x says
  // nothing of what lies below x: a step to less than nothing is one to a small part of x. Taken to be so much stiffer,
  // these stop short of 0 and all others go their way.
  bool any = false;
  const auto stiffer = [&](double part) {  // `part` of x would be taken off
    if (!(part > kStayInside)) return 1.0;
    any = true;
    return std::min(part / kStayInside, kStiffest);
  };
  for (Index i = 0; i < rho.size(); ++i) curvature(i) *= stiffer(direction(i) / slack_(i));
  const Vector sums = nested_.sums(rho), changes = nested_.sums(direction);
  for (Index e = 0; e < sums.size(); ++e)
    if (sums(e) > 0) nested_.weights(e) *= stiffer(-changes(e) / sums(e));
  return any;
}

double SampleTerms::max_step(ConstVectorRef rho, ConstVectorRef direction) const {
  double step = 1;
  if (problem_.joint_loss() != nullptr)
    return std::min(step, kStayInside * problem_.joint_loss()->room(rho, direction));
  std::mutex comparing;
  parallel_for(rho.size(), threads_over_samples(problem_), kSampleCost, [&](Index begin, Index end) {
    double shortest = 1;
    for (Index i = begin; i < end; ++i) {
      const Interval domain = problem_.loss().smooth_domain(problem_.labels()(i));
      const double s = problem_.sample_weights()(i);
      const double room = direction(i) > 0 ? s * domain.upper - rho(i) : s * domain.lower - rho(i);
      if (std::isfinite(room) && std::abs(direction(i)) * shortest > kStayInside * std::abs(room))
        shortest = kStayInside * room / direction(i);
    }
    const std::scoped_lock lock(comparing);
    step = std::min(step, shortest);
  });
  return step;
}

}  // namespace spicymkl
