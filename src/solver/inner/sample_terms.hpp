// The samples' part of the inner objective: Σ_i ψ_i(ρ_i), where ψ_i is the conjugate loss with its constraints replaced
// by augmented-Lagrangian terms, Eq. (41), and the auxiliary variable ρ̃_i minimised out.
#pragma once

#include "spicymkl/core/sloped_value.hpp"
#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

class SampleTerms {
 public:
  explicit SampleTerms(const Problem& problem);

  /// Step γ_ξ of the multipliers.
  void set_penalty(double gamma) { gamma_ = gamma; }
  double penalty() const { return gamma_; }

  /// Multipliers ξ_ij ≥ 0 of the loss's constraints, one column per constraint.
  const Matrix& multipliers() const { return xi_; }
  void set_multipliers(Matrix xi);
  bool has_multipliers() const { return xi_.cols() > 0; }

  /// Value and slope along ρ of Σψ_i; curvature where it is asked for.
  double value_and_gradient(ConstVectorRef rho, VectorRef gradient, Vector* curvature = nullptr);
  /// Of a loss that does not split over the samples: the Hessian is the curvature, as a diagonal, and these sums, at
  /// the point where the curvature was last asked for.
  const NestedSums& nested_sums() const { return nested_; }

  /// The ρ at which Σψ_i(ρ_i) + zᵀρ is smallest, and the multipliers that go with it: what the samples answer to
  /// predictions z.
  Vector answer(ConstVectorRef z);
  /// The same where there are no multipliers, as near to the ends of the domain as double precision tells apart: the
  /// curvature there may be huge.
  Vector sharp_answer(ConstVectorRef z) const;

  /// ξ_ij ← max(0, ξ_ij + γ_ξ h_j), Eq. (40) with its sign set right: h_j ≤ 0 is the feasible side, as in Eqs. (30),
  /// (31). ρ must be the point of the last evaluation, which also set ρ̃.
  void update_multipliers(ConstVectorRef rho);
  /// Σ s_i‖ξ_i⁺ − ξ_i‖²/(2γ_ξ), the multipliers' proximity term of Eq. (37), for the update that ρ would make.
  double multiplier_movement(ConstVectorRef rho) const;

  /// Largest step c ≤ 1 along which ρ + cΔ stays inside the domain of ℓ0*, kept off its boundary.
  double max_step(ConstVectorRef rho, ConstVectorRef direction) const;
  /// See InnerObjective::stiffen. `curvature` is that of the last evaluation.
  bool stiffen(ConstVectorRef rho, ConstVectorRef direction, Vector& curvature);
  /// The domain has bounds for every entry alone; that of a joint loss has another shape.
  bool domain_is_box() const { return problem_.joint_loss() == nullptr; }
  /// Δ with every entry cut where ρ + Δ would leave that domain; where it is no box, a step that bends away from its
  /// boundary.
  Vector inside(ConstVectorRef rho, ConstVectorRef direction) const;

 private:
  /// ℓ0* + Σ_j max(0, ξ_j + γh_j)²/(2γ) at (r, ρ̃).
  DualTerm augmented(Index i, double r, double aux) const;
  CurvedValue evaluate(Index i, double rho);
  double evaluate_joint(ConstVectorRef rho, VectorRef gradient, Vector* curvature);
  double answer_of(Index i, double z);
  double minimise_auxiliary(Index i, double r) const;
  /// γ_ξ h_j(ρ_i, ρ̃_i) + ξ_ij, cut at 0.
  double next_multiplier(Index i, int j, double r) const;

  const Problem& problem_;
  double gamma_ = 1;
  Matrix xi_;
  Vector aux_;  // ρ̃ of the last evaluation, where the next search starts
  NestedSums nested_;
  Vector slack_;  // of a joint loss, 1/curvature of the entries: how far each may rise
};

}  // namespace spicymkl
