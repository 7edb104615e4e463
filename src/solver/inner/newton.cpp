#include "newton.hpp"

#include <algorithm>
#include <cmath>

#include "core/stopwatch.hpp"
#include "line_search.hpp"

namespace spicymkl {

namespace {

constexpr double kShortStep = 0.1;          // of a Newton step that would leave the domain of the conjugate loss
constexpr double kBentDescent = 0.01;       // part of a direction's descent that has to be left of it
constexpr double kTrusted = 0.5;            // part of a Newton step from which its quadratic model holds
constexpr double kRoundingOfValue = 1e-14;  // of φ, relative
constexpr double kShrinks = 0.5;            // part that a step which counts leaves of the gradient
// Damping grows quickly while steps are short, and shrinks slowly again: a step that overshoots costs a factorisation.
constexpr double kSmallestDamping = 1e-2, kLargestDamping = 1;
constexpr double kShort = 0.2, kFull = 0.8;
constexpr double kMoreDamping = 4, kLessDamping = 0.5;
constexpr double kLeastFloor =
    1e-12;  // of curvatures, in units of a typical one: what rounding leaves of a sum with them
constexpr int kMostFloors = 10;
constexpr int kMostStiffenings = 4;
constexpr double kHigherFloor = 100;

/// Largest entry of ∇φ; the multipliers of Uᵀρ = 0 are part of the gradient already.
double gradient_size(const InnerObjective& phi) { return phi.gradient().lpNorm<Eigen::Infinity>(); }

}  // namespace

NewtonMinimizer::NewtonMinimizer(const Problem& problem, double curvature_unit, double prediction_scale,
                                 const Settings& settings)
    : system_(problem.bank().make_newton_system()),
      curvature_unit_(curvature_unit),
      prediction_scale_(prediction_scale),
      settings_(settings),
      damping_(kSmallestDamping),
      diagonal_(problem.n_samples()),
      solution_(problem.n_samples(), 1 + problem.constraints().n_columns()),
      change_(Matrix::Zero(problem.constraints().n_columns(), problem.n_outputs())),
      direction_(problem.n_samples()) {}

int NewtonMinimizer::minimise(InnerObjective& phi, const InnerTolerance& tolerance, Timers& timers,
                              const std::function<bool()>& enough) {
  phi.evaluate();
  for (int step = 0; step < settings_.max_newton; ++step) {
    if (settings_.watch.stop_requested()) return step;
    {
      const ScopedTimer timer(timers.newton);
      if (!find_direction(phi)) return step;
    }
    const double decrement = -phi.gradient().dot(direction_);  // λ²
    if (!(decrement > 0)) return step;
    // Below the rounding error of φ a step counts as long as it still shrinks the gradient.
    const bool at_rounding = decrement < kRoundingOfValue * std::abs(phi.value());
    const double gradient_norm = gradient_size(phi);
    const bool last = decrement / 2 <= std::max(tolerance.absolute, tolerance.of_movement * phi.movement());

    bend_at_boundary(phi);
    const ScopedTimer timer(timers.passes);
    phi.prepare_line(direction_);
    const SlopedValue start{phi.value(), phi.gradient().dot(direction_)};
    const double longest = phi.samples.max_step(phi.rho(), direction_);
    const double c = line_search([&](double t) { return phi.along(t); }, start, longest);
    if (c > 0) phi.move(c);
    adapt_damping(c);
    phi.evaluate();
    // λ²/2 is the distance to the minimum of the quadratic model; where the step was cut short, of nothing.
    if ((last && c > kTrusted) || c == 0 || (enough && enough())) return step + 1;
    if (at_rounding && gradient_size(phi) > kShrinks * gradient_norm) return step + 1;
  }
  return settings_.max_newton;
}

void NewtonMinimizer::adapt_damping(double step) {
  if (step < kShort) damping_ = std::min(kMoreDamping * damping_, kLargestDamping);
  if (step > kFull) damping_ = std::max(kLessDamping * damping_, kSmallestDamping);
}

void NewtonMinimizer::bend_at_boundary(const InnerObjective& phi) {
  const double room = phi.samples.max_step(phi.rho(), direction_);
  if (room > kShortStep) return;
  Vector bent = phi.samples.inside(phi.rho(), direction_);
  const bool in_box = phi.samples.domain_is_box();
  if (!phi.constraints.empty()) {  // UᵀΔ = 0 is kept by the samples that are free to move
    Eigen::ArrayXd free = Eigen::ArrayXd::Ones(bent.size());
    if (in_box) free = (bent.array() == direction_.array()).cast<double>();
    const Vector weights = free / diagonal_.array();
    if (!phi.constraints.restore(weights, bent)) return;
  }
  // In a box most entries keep what they had of the direction; a curved step has to be better than what the boundary
  // leaves of the straight one.
  const double least = in_box ? kBentDescent : std::min(room, kBentDescent);
  if (bent.allFinite() && phi.gradient().dot(bent) <= least * phi.gradient().dot(direction_)) direction_ = bent;
}

bool NewtonMinimizer::find_direction(InnerObjective& phi) {
  for (int round = 0;; ++round) {
    if (!factor(phi)) return false;
    // HΔ + Uδ = −∇φ and UᵀΔ = 0; b ← b + δ.
    solution_.col(0) = -phi.gradient();
    system_->solve_within(phi.constraints, solution_, change_);
    direction_ = solution_.col(0);
    const bool leaves_soon = phi.samples.max_step(phi.rho(), direction_) < kTrusted;
    if (!leaves_soon || round == kMostStiffenings || !phi.stiffen(direction_)) break;
  }
  phi.unpenalised += change_;
  return true;
}

bool NewtonMinimizer::factor(const InnerObjective& phi) {
  // Eq. (27): H = diag(ψ″) + Σ (θ′/n_m)K_m + (θ″ − θ′/n_m) u_m u_mᵀ over the active kernels.
  const NestedSums& nested = phi.samples.nested_sums();
  const bool as_they_are = nested.count() > 0 && system_->takes_nested_sums();
  phi.kernels.hessian(hessian_, as_they_are ? Matrix(diagonal_.size(), 0) : nested.columns(diagonal_.size()));
  // Where a conjugate is linear its curvature is 0, and the Hessian may be singular. A floor proportional to the
  // remaining gradient keeps steps of sensible length and vanishes at the solution, so that convergence stays fast.
  const double residual = phi.gradient().lpNorm<Eigen::Infinity>() / prediction_scale_;
  double floor = curvature_unit_ * std::clamp(damping_ * residual, kLeastFloor, kLargestDamping);
  for (int attempt = 0; attempt < kMostFloors; ++attempt) {
    diagonal_ = phi.curvature().cwiseMax(floor);
    if (system_->factor({hessian_.kernels, hessian_.weights(), diagonal_, hessian_.low_rank(), hessian_.n_added,
                         as_they_are ? &nested : nullptr}))
      return true;
    floor *= kHigherFloor;  // rounding made it indefinite
  }
  return false;
}

}  // namespace spicymkl
