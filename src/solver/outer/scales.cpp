#include "scales.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

namespace {

constexpr double kFirstPenalty = 10;  // γ_ξ in natural units: constraints that matter are felt from the first step
constexpr double kLongestStep = 1e6;  // of γ in multiples of the one that takes ρ₀ to the norm that is expected

/// R = ρ₀ᵀz for a function that fits the labels: ρ₀ᵀy where labels are what is to be predicted. Else predictions are
/// logarithms, of risks, and of size 1.
double gain_of_fitting(const Problem& problem, const Vector& rho) {
  return problem.loss().predicts_labels() ? std::abs(rho.dot(problem.labels())) : rho.lpNorm<1>();
}

}  // namespace

// All from ρ₀, the dual vector of the best constant predictor. A prediction has the size R/‖ρ₀‖₁.
Scales estimate_scales(const Problem& problem) {
  Scales scales{problem.best_constant()};
  const Vector& rho = scales.constant.dual;
  const double total = rho.lpNorm<1>();
  if (total == 0) return scales;
  const double n = static_cast<double>(problem.n_samples());
  scales.prediction = gain_of_fitting(problem, rho) / total;
  scales.curvature = scales.prediction / (total / n);
  // The multipliers' terms are functions of ρ_i/s_i, so that γ_ξ does not know the scale of the sample weights.
  const double unweighted = rho.cwiseQuotient(problem.sample_weights()).lpNorm<1>();
  scales.constraint_gamma = kFirstPenalty * scales.prediction / (unweighted / n);
  return scales;
}

// A function of norm c in the kernel with the largest ‖ρ₀‖_Km has ρ₀ᵀz ≤ c‖ρ₀‖_Km, so that fitting takes a norm of
// about c = R/max‖ρ₀‖_Km. The proximal step moves a norm by γG′(c): γ = c/G′(c) = d(c)/alpha reaches that norm in one
// step.
double first_gamma(const Problem& problem) {
  const Vector& rho = problem.best_constant().dual;
  const Vector& squares = problem.constant_forms();
  const double largest = squares.size() > 0 ? std::sqrt(squares.maxCoeff()) : 0;
  if (largest == 0) return 1;
  const Regularizer& G = problem.regularizer();
  double norm = gain_of_fitting(problem, rho) / largest;
  if (G.threshold() > 0) return G.weight(norm) / G.alpha();
  // Where G′ starts at 0 and then rises steeply, x^q with a large q, no norm goes far beyond the one with
  // G′(x) = max‖ρ₀‖_Km, and below it the penalty may be next to nothing: then γ is what takes ρ₀ there.
  while (norm > 0 && norm * G.alpha() > largest * G.weight(norm)) norm /= 2;
  return std::min(G.weight(norm) / G.alpha(), kLongestStep * norm / largest);
}

}  // namespace spicymkl
