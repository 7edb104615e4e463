// A Newton matrix D + UUᵀ whose second part has few columns: solved by a system of their number.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Of UUᵀ to D, entry by entry of their diagonals: digits that the identity loses.
inline constexpr double kLargestRatio = 1e8;
inline constexpr double kSmallRatio = 1e4;  ///< below, the digits that are left need no refinement

/// By the identity of Woodbury, (D + UUᵀ)⁻¹ = D⁻¹ − D⁻¹U(I + UᵀD⁻¹U)⁻¹UᵀD⁻¹, with one step of refinement.
class FactoredSystem {
 public:
  /// False when D is so small beside UUᵀ that the identity would lose too many digits.
  [[nodiscard]] bool factor(ConstVectorRef diagonal, Matrix columns, int threads);
  /// rhs ← (D + UUᵀ)⁻¹ rhs
  void solve(VectorRef rhs) const;

 private:
  Vector once(const Vector& rhs) const;

  Vector root_;      // √D
  Matrix scaled_;    // Uᵀ/√D
  Matrix capacity_;  // Cholesky factor of I + UᵀD⁻¹U
};

}  // namespace spicymkl
