// How far products with kernels may be off by rounding.
#pragma once

#include <vector>

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Of linear constraints on ρ other than 1ᵀρ = 0: what a dual point may violate them by, in parts of what its entries
/// could make it.
inline constexpr double kUnsatisfied = 1e-12;

inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Times the error that independent roundings add up to: room for any order of summation. Were all of them of one sign,
// √N times as much would be needed, which no sum comes near.
inline constexpr double kSafety = 8;

/// Of K_m ρ for some kernels. As |K_ij| ≤ √K_ii·√K_jj, entry i of it is a sum of terms that are at most
/// √K_ii·√K_jj|ρ_j|, and so is its error times ε.
class ProductRounding {
 public:
  ProductRounding(const KernelBank& bank, const std::vector<Index>& kernels, const Vector& rho);
  /// Of ρᵀK_kρ.
  double of_form(Index k) const { return unit_ * masses_(k); }
  /// Of Σ_k scale_k K_k ρ, entry by entry. Kernels round independently of each other: their errors add up like those of
  /// a random walk.
  Vector of_sum(const Vector& scale) const;

 private:
  const KernelBank& bank_;
  const std::vector<Index>& kernels_;
  double unit_;
  Vector masses_;  ///< Σ_j K_jj ρ_j², kernel by kernel
};

}  // namespace spicymkl
