// The inner objective φ(ρ) of Eqs. (25), (32), (41) and (47): samples + kernels + what is not penalised.
#pragma once

#include "kernel_terms.hpp"
#include "sample_terms.hpp"

namespace spicymkl {

/// φ and its derivatives at a point that it holds. The point moves along Newton directions.
class InnerObjective {
 public:
  InnerObjective(const Problem& problem, std::vector<Index> candidates);

  SampleTerms samples;
  KernelTerms kernels;
  /// The intercept b is the multiplier of 1ᵀρ = 0, which every Newton step keeps, and so are the coefficients of
  /// covariates of theirs. The paper imposes it by a penalty (b + γ_b·1ᵀρ)²/(2γ_b), Eqs. (12) and (24), and meets it in
  /// the limit; until then kernels that are nearly constant, as wide Gaussians are, and the intercept cancel each
  /// other, and with large kernels no digit is left.
  Matrix unpenalised;
  const DualConstraints& constraints;

  const Vector& rho() const { return kernels.rho(); }
  /// Recomputes value, gradient and sample curvature at the current point.
  void evaluate();
  /// Raises the curvature where a step along `direction` would leave the domain of a joint loss; false where it would
  /// not, or the loss is no joint one.
  bool stiffen(ConstVectorRef direction) { return samples.stiffen(rho(), direction, curvature_); }
  double value() const { return value_; }
  const Vector& gradient() const { return gradient_; }
  const Vector& curvature() const { return curvature_; }

  void prepare_line(ConstVectorRef direction);
  SlopedValue along(double c);
  void move(double c);

  /// The proximity terms at the would-be update, Σ‖α⁺−α‖²/(2γ) + Σ‖ξ⁺−ξ‖²/(2γ_ξ), Eq. (37).
  double movement() const;

 private:
  Vector direction_, trial_, trial_gradient_;
  double unpenalised_slope_ = 0;  // along the direction
  double value_ = 0;
  Vector gradient_, curvature_;
};

}  // namespace spicymkl
