// Losses that do not split over their entries: all classes of a sample together, all samples that are at risk together.
#pragma once

#include <optional>
#include <vector>

#include "spicymkl/core/nested_sums.hpp"

namespace spicymkl {

/// L(z) of whole vectors, bound to the labels and weights of a problem. Its conjugate is the function ρ ↦ L*(−ρ); it is
/// smooth inside its domain, and Newton's method stays there.
class JointLoss {
 public:
  virtual ~JointLoss() = default;

  virtual double value(ConstVectorRef z) const = 0;
  /// An upper bound of L at all points that differ from z by at most `reach`, entry by entry.
  virtual double largest_value(ConstVectorRef z, ConstVectorRef reach) const = 0;
  /// −∇L(z)
  virtual Vector dual_point(ConstVectorRef z) const = 0;
  /// ∇²L(z)·V
  virtual Matrix curvature_product(ConstVectorRef z, ConstMatrixRef V) const = 0;

  /// L*(−ρ), +∞ outside its domain.
  virtual double conjugate(ConstVectorRef rho) const = 0;
  /// The z with dual_point(z) = ρ, for ρ moved into the domain first if need be: minus the gradient of the conjugate.
  virtual Vector answering(ConstVectorRef rho) const = 0;
  /// The Hessian of the conjugate is diag(diagonal) + nested on the vectors that satisfy the constraints.
  struct Curvature {
    Vector diagonal;
    NestedSums nested = {};
  };
  virtual Curvature conjugate_curvature(ConstVectorRef rho) const = 0;
  /// The largest c for which ρ + cΔ is in the domain; may be infinite.
  virtual double room(ConstVectorRef rho, ConstVectorRef direction) const = 0;
  /// μ such that the conjugate is μ-strongly convex; 0 where nothing is known.
  virtual double conjugate_convexity() const { return 0; }

  /// An upper bound of L*(s∇L(z)), 0 ≤ s ≤ 1, that needs no closed form of the conjugate; none where whoever checks a
  /// proof has the conjugate itself. With it, proofs are given at such points of a model's own predictions z.
  virtual std::optional<double> conjugate_bound(ConstVectorRef, double) const { return std::nullopt; }

  /// L does not change when all outputs of a sample are shifted alike: Σ_k ρ_ik = 0.
  virtual bool ignores_row_shifts() const { return false; }
  /// L does not change when all samples are shifted alike: 1ᵀρ = 0, and an intercept means nothing.
  virtual bool ignores_constants() const { return false; }
  /// Entries of z that L does not depend on at all: ρ is 0 there.
  virtual std::vector<Index> ignored_entries() const { return {}; }
};

}  // namespace spicymkl
