// Newton systems of the size of the kernels' ranks.
#pragma once

#include <vector>

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Solves with D + Σ w_m Z_m Z_mᵀ + LLᵀ by the identity of Woodbury,
/// (D + UUᵀ)⁻¹ = D⁻¹ − D⁻¹U(I + UᵀD⁻¹U)⁻¹UᵀD⁻¹ with U = [√w_m Z_m …, L], and one step of refinement. The products
/// Z_mᵀD⁻¹Z_m' are kept as long as D stays what it is, which it does where the loss is quadratic: then only the weights
/// of the kernels change from step to step.
class RankSystem {
 public:
  /// Asked before the bank is: are products kept for this D? A constant one is likely to stay.
  bool may_keep(ConstVectorRef diagonal) const;
  /// The terms must have nothing to subtract. False when D is so small beside the rest that the identity would lose too
  /// many digits.
  [[nodiscard]] bool factor(const KernelBank& bank, const NewtonTerms& terms);
  /// rhs ← matrix⁻¹ rhs
  void solve(MatrixRef rhs) const;

 private:
  /// A kernel's columns among all that are kept.
  struct Block {
    Index kernel = 0, first = 0, width = 0;
    double root_weight = 0;  ///< of the present step
    Index place = 0;         ///< among the rows of the present step's system
  };

  void keep_only_for(ConstVectorRef diagonal);
  void add(const KernelBank& bank, const std::vector<Index>& kernels);
  Index choose_blocks(const KernelBank& bank, const NewtonTerms& terms);
  /// The largest ratio of UUᵀ to D, entry by entry of their diagonals.
  double largest_ratio() const;
  void assemble(Index size);
  Matrix once(const Matrix& rhs) const;
  /// Uᵀ X and U Y, both beside √D.
  Matrix inner(const Matrix& X) const;
  Matrix outer(const Matrix& Y) const;

  int threads_ = 1;
  bool refine_ = true;  // whether digits are lost that the solution needs
  Vector diagonal_, root_;
  std::vector<Block> kept_, blocks_;  // all, and those of the present step
  Matrix columns_;                    // Z/√D of the kept kernels, side by side; the leading width_ ones are in use
  Matrix products_;                   // lower triangle of columns_ᵀcolumns_
  Matrix squares_;                    // of the rows of every kept block
  Index width_ = 0;
  Matrix extra_;     // L/√D
  Matrix capacity_;  // Cholesky factor of I + UᵀD⁻¹U
};

}  // namespace spicymkl
