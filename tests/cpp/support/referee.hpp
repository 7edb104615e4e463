// The naive referee: primal, dual and gap from the formulas of docs/mathematics.md, in plain loops, without a call into
// the library. It shares only plain structs (cases, kernels as Eigen matrices) with the code under test.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <vector>

#include "support/catalogue.hpp"
#include "support/numeric.hpp"

namespace testing_support {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline double referee_loss(const LossCase& loss, double y, double z) {
  const double r = y - z;
  if (loss.name == "logistic") return y * z > -30 ? std::log1p(std::exp(-y * z)) : -y * z + std::exp(y * z);
  if (loss.name == "hinge") return std::max(0.0, 1 - y * z);
  if (loss.name == "squared_hinge") return std::pow(std::max(0.0, 1 - y * z), 2);
  if (loss.name == "squared") return r * r;
  if (loss.name == "epsilon_insensitive") return std::max(0.0, std::abs(r) - loss.epsilon);
  if (loss.name == "huber")
    return std::abs(r) <= loss.epsilon ? r * r : 2 * loss.epsilon * std::abs(r) - loss.epsilon * loss.epsilon;
  if (loss.name == "quantile") return r >= 0 ? loss.quantile * r : (loss.quantile - 1) * r;
  throw std::logic_error("the referee does not know the loss " + loss.name);
}

/// ℓ*(y, −ρ). A violation of the domain up to `slack` counts as rounding.
inline double referee_conjugate(const LossCase& loss, double y, double rho, double slack = 1e-12) {
  const double p = y * rho;
  const auto outside = [&](double value, double lower, double upper) {
    return value < lower - slack || value > upper + slack;
  };
  const auto entropy = [](double t) { return t > 0 ? t * std::log(t) : 0.0; };
  if (loss.name == "logistic") return outside(p, 0, 1) ? kInfinity : entropy(p) + entropy(1 - p);
  if (loss.name == "hinge") return outside(p, 0, 1) ? kInfinity : -p;
  if (loss.name == "squared_hinge") return outside(p, 0, kInfinity) ? kInfinity : -p + p * p / 4;
  if (loss.name == "squared") return -p + rho * rho / 4;
  if (loss.name == "epsilon_insensitive") return outside(rho, -1, 1) ? kInfinity : -p + loss.epsilon * std::abs(rho);
  if (loss.name == "huber") return outside(rho, -2 * loss.epsilon, 2 * loss.epsilon) ? kInfinity : -p + rho * rho / 4;
  if (loss.name == "quantile") return outside(rho, loss.quantile - 1, loss.quantile) ? kInfinity : -p;
  throw std::logic_error("the referee does not know the loss " + loss.name);
}

/// G(x)/alpha split as κ·x^e/e + (1−κ)x²/2: every built-in regulariser has this form.
struct PowerForm {
  double power_part, exponent, square_part;
};

inline PowerForm power_form(const RegularizerCase& r) {
  if (r.name == "block1") return {1, 1, 0};
  if (r.name == "elasticnet") return {r.l1_ratio, 1, 1 - r.l1_ratio};
  if (r.name == "blockq") return {1, r.q, 0};
  if (r.name == "uniform") return {0, 1, 1};
  if (r.name == "mixed") return {r.l1_ratio, r.q, 1 - r.l1_ratio};
  throw std::logic_error("the referee does not know the regulariser " + r.name);
}

/// G(x)
inline double referee_penalty(const RegularizerCase& r, double x) {
  const PowerForm form = power_form(r);
  return r.alpha * (form.power_part * std::pow(x, form.exponent) / form.exponent + form.square_part * x * x / 2);
}

/// G′(x) at x > 0
inline double referee_penalty_slope(const RegularizerCase& r, double x) {
  const PowerForm form = power_form(r);
  return r.alpha * (form.power_part * std::pow(x, form.exponent - 1) + form.square_part * x);
}

/// G*(u) = sup over x ≥ 0 of ux − G(x), by bisection on G′(x) = u. Norms above the bound by `slack` count as rounding.
inline double referee_penalty_conjugate(const RegularizerCase& r, double u, double slack = 1e-12) {
  const PowerForm form = power_form(r);
  const double threshold = form.exponent == 1 ? r.alpha * form.power_part : 0;  // G′(0+)
  if (u <= threshold * (1 + slack)) return 0;
  const bool linear = form.exponent == 1 && form.square_part == 0;
  if (linear) return kInfinity;
  double lower = 0, upper = 1;
  while (referee_penalty_slope(r, upper) < u) upper *= 2;
  for (int step = 0; step < 2000 && upper - lower > 1e-16 * upper; ++step) {
    const double middle = (lower + upper) / 2;
    if (middle == lower || middle == upper) break;
    (referee_penalty_slope(r, middle) < u ? lower : upper) = middle;
  }
  return u * upper - referee_penalty(r, upper);
}

/// All that the referee needs to know of a problem.
struct RefereeProblem {
  std::vector<Eigen::MatrixXd> kernels;
  Eigen::VectorXd y;
  Eigen::VectorXd weights;  ///< of the samples, never empty
  LossCase loss;
  RegularizerCase regularizer;
  bool fit_intercept;
};

/// ‖a‖_K in extended precision: a small norm is the difference of large terms, and the referee must not add to the
/// rounding errors that it is to judge.
inline double naive_norm(const Eigen::MatrixXd& K, const Eigen::VectorXd& a) {
  long double square = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i)
    for (Eigen::Index j = 0; j < a.size(); ++j) square += static_cast<long double>(a(i)) * K(i, j) * a(j);
  return static_cast<double>(std::sqrt(std::max(square, 0.0L)));
}

/// P(α, b) with α_m = scale_k·dual for m = active[k].
inline double referee_primal(const RefereeProblem& problem, const Eigen::VectorXd& dual,
                             const std::vector<Eigen::Index>& active, const Eigen::VectorXd& scale, double intercept) {
  const Eigen::Index n = problem.y.size();
  Eigen::VectorXd z = Eigen::VectorXd::Constant(n, intercept);
  double value = 0;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const Eigen::MatrixXd& K = problem.kernels[static_cast<std::size_t>(active[k])];
    const Eigen::VectorXd alpha = scale(static_cast<Eigen::Index>(k)) * dual;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) z(i) += K(i, j) * alpha(j);
    value += referee_penalty(problem.regularizer, naive_norm(K, alpha));
  }
  for (Eigen::Index i = 0; i < n; ++i) value += problem.weights(i) * referee_loss(problem.loss, problem.y(i), z(i));
  return value;
}

/// Largest u with G*(u) finite.
inline double referee_dual_bound(const RegularizerCase& r) {
  const PowerForm form = power_form(r);
  return form.exponent == 1 && form.square_part == 0 ? r.alpha * form.power_part : kInfinity;
}

/// D(ρ); −∞ where ρ is not feasible. Where rounding put a norm beyond the bound, by less than 1e-9 of it, the referee
/// shrinks ρ onto the bound first, so that what it returns is a proven lower bound.
inline double referee_dual(const RefereeProblem& problem, Eigen::VectorXd rho) {
  const double sum_limit = 1e-10 * std::max(rho.lpNorm<1>(), 1e-300);
  if (problem.fit_intercept && std::abs(rho.sum()) > sum_limit) return -kInfinity;
  std::vector<double> norms;
  double excess = 1;
  for (const Eigen::MatrixXd& K : problem.kernels) {
    norms.push_back(naive_norm(K, rho));
    excess = std::max(excess, norms.back() / referee_dual_bound(problem.regularizer));
  }
  if (excess > 1 + 1e-9) return -kInfinity;
  rho /= excess;
  double value = 0;
  for (Eigen::Index i = 0; i < rho.size(); ++i) {
    const double s = problem.weights(i);
    value -= s * referee_conjugate(problem.loss, problem.y(i), rho(i) / s);
  }
  for (const double norm : norms) value -= referee_penalty_conjugate(problem.regularizer, norm / excess);
  return value;
}

}  // namespace testing_support
