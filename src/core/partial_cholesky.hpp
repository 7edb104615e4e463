// A partial Cholesky factorisation: exact on the rows that need it, diagonal on the rest. It makes conjugate gradients
// converge in a few steps on matrices diag(h) + B whose B is large in few directions only.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

class PartialCholesky {
 public:
  /// A = diag(own) + B, B positive semi-definite; its lower triangle is read. Rows are eliminated, those first whose
  /// remaining part of B is largest beside their own diagonal entry, until what remains of B is small beside it
  /// everywhere, or tolerable where more rows would not pay. False when too many rows are needed for that, or A is not
  /// positive definite to working precision.
  /// Throws Stopped when the watch says so.
  [[nodiscard]] bool factor(const Matrix& A, ConstVectorRef own, int threads, const Watch& watch = {});

  /// V ← P⁻¹V, P the approximation of A.
  void solve(MatrixRef V, int threads = 1) const;

  Index rank() const { return std::ssize(pivots_); }

 private:
  /// The rows to eliminate next, in order; empty when no more are needed.
  std::vector<Index> next_pivots(ConstVectorRef own) const;
  /// Columns `pivots` of A less what has been eliminated.
  void gather(const Matrix& A, const std::vector<Index>& pivots, MatrixRef columns, int threads) const;
  [[nodiscard]] bool eliminate(const Matrix& A, const std::vector<Index>& pivots, int threads);

  std::vector<Index> pivots_;  // in the order of elimination
  Matrix columns_;             // of the factor; the leading rank() ones are in use
  Vector remaining_;           // diagonal of the Schur complement; 0 for eliminated rows
  Matrix top_;                 // rows `pivots_` of the factor: lower triangular
  mutable Matrix head_;        // workspace of solve
};

}  // namespace spicymkl
