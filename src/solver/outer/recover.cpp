#include "recover.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bank/combined_bank.hpp"
#include "onestep.hpp"

namespace spicymkl {

namespace {

constexpr double kSeen = 1e-7;      // part of √trace(K)‖ρ‖ that ‖ρ‖_K must have to be known to some digits
constexpr double kVanished = 1e-8;  // part of ρ₀
constexpr int kMostSteps = 30;      // outer ones over one kernel; where these are not enough, another model is tried
constexpr double kFaint = 1e-70;    // entries whose squares, times those of a kernel, may leave the range of doubles

/// ρ, or a multiple of it where its squares underflow: what is wanted of it is its direction.
Vector direction(const Vector& rho) {
  const double largest = rho.lpNorm<Eigen::Infinity>();
  return largest > 0 && largest < kFaint ? Vector(rho / largest) : rho;
}

/// At the solution ‖ρ‖_Km = alpha·‖f_m‖/d_m. With a steep G that may be less than rounding leaves of a form of ρ, and
/// no ρ could then say what f_m is. A smaller weight costs about ‖ρ‖_Km‖f_m‖, next to nothing.
Vector largest_weights(const Problem& problem, const Iterate& iterate) {
  // Where every label is fitted ρ itself vanishes: beside the labels, ρ₀ is as good as 0 long before.
  const double length = std::max(iterate.dual.norm(), kVanished * problem.best_constant().dual.norm());
  Vector largest(iterate.norms.size());
  for (Index k = 0; k < largest.size(); ++k) {
    const double trace = problem.bank().trace(iterate.kernels[k]);
    largest(k) = problem.regularizer().alpha() * iterate.norms(k) / (kSeen * length * std::sqrt(trace));
  }
  return largest;
}

/// With kernels and scales given: the intercept and the like that go with them.
void fit_unpenalised(const Problem& problem, Expansion& expansion) {
  Vector f = Vector::Zero(problem.n_samples());
  problem.bank().weighted_product(expansion.kernels, expansion.scale, expansion.dual, f);
  expansion.unpenalised = problem.best_unpenalised(f);
}

}  // namespace

Vector start_norms(const Problem& problem, const WarmStart& start) {
  Vector norms(start.coef.cols());
  for (Index k = 0; k < norms.size(); ++k) {
    Vector square(1);
    problem.bank().quadratic_forms({&start.kernels[k], 1}, start.coef.col(k), square);
    norms(k) = std::sqrt(square(0));
  }
  return norms;
}

Iterate iterate_at(const Problem& problem, const WarmStart& start) {
  return {start.dual, start.kernels, start_norms(problem, start), start.unpenalised, start.multipliers, start.newton};
}

WarmStart start_at(const Expansion& model) {
  return {model.dual, model.kernels, model.dual * model.scale.transpose(), model.unpenalised, {}};
}

Expansion first_model(const Problem& problem, const WarmStart& start) {
  if (!start.empty()) return share_direction(problem, iterate_at(problem, start));
  const Problem::Constant constant = problem.best_constant();
  return {constant.dual, {}, Vector(0), constant.unpenalised};
}

void call_converged(Result& result, double tol) {
  result.status = Status::converged;
  result.message = fmt::format("the relative duality gap is within {:g}", tol);
}

void keep_better_model(Result& earlier, Result& later, double tol) {
  if (earlier.expansion.dual.size() == 0) return;
  const PrimalValue before = earlier.certificate.primal_value(), after = later.certificate.primal_value();
  const bool better_primal = before.largest() < after.largest();
  const bool better_bound = earlier.bound.value() > later.bound.value();
  Certificate joint = certify(better_primal ? before : after, better_bound ? earlier.bound : later.bound);
  // Where rounding is all that is left of both, a bound may exceed the other's primal value by more than its own gap.
  const bool contradictory = joint.dual_objective > joint.primal;
  if (contradictory && joint.relative_gap > later.certificate.relative_gap) return;
  if (better_primal) std::swap(earlier.expansion, later.expansion);
  if (better_bound) std::swap(earlier.bound, later.bound);
  later.certificate = std::move(joint);
  if (later.certificate.relative_gap <= tol) call_converged(later, tol);
}

Expansion share_direction(const Problem& problem, const Iterate& iterate) {
  Expansion expansion{direction(iterate.dual), iterate.kernels, Vector(iterate.norms.size()), iterate.unpenalised};
  Vector squares(iterate.norms.size());
  problem.bank().quadratic_forms(iterate.kernels, expansion.dual, squares);
  const double unit = rounding_of_forms(expansion.dual);
  for (Index k = 0; k < squares.size(); ++k) {
    // ‖ρ‖_Km as large as rounding allows, so that no ‖f_m‖ exceeds its norm: with a steep G, a kernel that ρ hardly
    // meets has a large norm in a direction that is little more than rounding.
    const double trace = problem.bank().trace(iterate.kernels[k]);
    const double square = std::max(squares(k), 0.0) + unit * trace;
    expansion.scale(k) = square > 0 ? iterate.norms(k) / std::sqrt(square) : 0;
  }
  fit_unpenalised(problem, expansion);
  return expansion;
}

namespace {

/// The solution of the one-kernel problem with Σd_mK_m, started from the iterate.
Expansion solve_with(const Vector& weights, const Problem& problem, const Iterate& iterate, double tol) {
  const double alpha = problem.regularizer().alpha();
  double trace = 0;
  for (Index k = 0; k < weights.size(); ++k) trace += weights(k) * problem.bank().trace(iterate.kernels[k]);
  if (!std::isfinite(trace))
    return share_direction(problem, iterate);  // x^(2−q) of a tiny norm x: no kernel to solve with
  const auto combined = std::make_shared<CombinedBank>(problem.bank(), iterate.kernels, weights);
  const Problem one_kernel = problem.with(combined, make_regularizer("uniform", {.alpha = alpha}));
  Settings settings;
  settings.tol = tol;
  settings.max_iter = kMostSteps;
  const Role role{.proves = false, .has_successor = true};  // whoever takes the model proves it, or tries another
  const WarmStart start{.dual = iterate.dual,
                        .kernels = {},
                        .coef = {},
                        .unpenalised = iterate.unpenalised,
                        .multipliers = iterate.multipliers,
                        .newton = iterate.newton};
  const Result solved = solve_onestep(one_kernel, settings, start, role);
  return {solved.expansion.dual, iterate.kernels, weights / alpha, solved.expansion.unpenalised};
}

}  // namespace

Expansion fix_weights(const Problem& problem, const Iterate& iterate, double tol) {
  Vector weights = largest_weights(problem, iterate);
  for (Index k = 0; k < weights.size(); ++k)
    weights(k) = std::min(problem.regularizer().weight(iterate.norms(k)), weights(k));
  return solve_with(weights, problem, iterate, tol);
}

Expansion match_norms(const Problem& problem, const Iterate& iterate, const Expansion& model, double tol) {
  Vector squares(iterate.norms.size());
  problem.bank().quadratic_forms(iterate.kernels, model.dual, squares);
  const Vector norms = model.scale.cwiseProduct(squares.cwiseSqrt());
  Vector weights = problem.regularizer().alpha() * model.scale;
  for (Index k = 0; k < weights.size(); ++k)
    if (norms(k) > 0) weights(k) *= iterate.norms(k) / norms(k);
  return solve_with(weights, problem, iterate, tol);
}

}  // namespace spicymkl
