// A Newton matrix of kernels that are factors, together wider than the samples are many, and never assembled.
#pragma once

#include <map>

#include "owned_terms.hpp"

namespace spicymkl {

/// Conjugate gradients with products in single precision. The preconditioner is
/// P = D + diag(Σ_weak wK) + Σ_strong wK + U₊U₊ᵀ: of many columns none of which stands out, the diagonal of their sum
/// is what there is to know; the few kernels that outweigh it are taken as they are, by the identity of Woodbury in
/// single precision. With kernels of total rank R a product takes 4NR operations, the matrix itself N²R.
///
/// It is not for every matrix: where kernels have few large directions in common, or the weak ones outnumber the
/// samples by little, conjugate gradients take long. Then `solve` says so.
class StrongKernelsSystem {
 public:
  explicit StrongKernelsSystem(const KernelBank& bank) : bank_(bank) {}

  /// Whether the matrix is one that it may be tried on.
  bool suits(const NewtonTerms& terms) const;
  /// False when the preconditioner is not positive definite to single precision.
  [[nodiscard]] bool factor(const NewtonTerms& terms);
  /// rhs ← matrix⁻¹ rhs, as accurately as a Newton direction need be; false, and rhs as it was, when that takes longer
  /// than another system would.
  [[nodiscard]] bool solve(MatrixRef rhs);
  /// Of the matrix given to `factor`.
  NewtonTerms terms() const;

 private:
  /// diag(K_m), from the first time on that it is asked for.
  const Vector& diagonal_of(Index kernel);
  /// The positions of the strong kernels; `rest_` becomes D + diag(Σ_weak wK).
  std::vector<Index> split();
  /// The columns of the strong kernels and U₊ beside √rest_.
  void gather(const std::vector<Index>& strong);
  void precondition(Matrix& V) const;

  const KernelBank& bank_;
  OwnedTerms terms_;  // of the present step
  std::map<Index, Vector> diagonals_;
  Vector rest_;           // D + diag(Σ_weak wK)
  Vector root_;           // its inverse root
  Index width_ = 0;       // of the columns in use
  RoughMatrix columns_;   // the leading ones
  RoughMatrix capacity_;  // Cholesky factor of I + columnsᵀcolumns
};

}  // namespace spicymkl
