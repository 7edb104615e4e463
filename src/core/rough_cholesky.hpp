// Cholesky factors in single precision: half the time and half the memory to read.
#pragma once

#include "spicymkl/core/types.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

/// A positive definite matrix, factored: to precondition with.
class RoughCholesky {
 public:
  /// Of diag(diagonal) + S + UUᵀ; of S the lower triangle is read. False when it is not positive definite to single
  /// precision. Throws Stopped when the watch says so.
  [[nodiscard]] bool factor(const Eigen::MatrixXf& S, ConstVectorRef diagonal, const Matrix& U, int threads,
                            const Watch& watch);
  /// V ← matrix⁻¹ V
  void solve(MatrixRef V, int threads) const;
  Index rows() const { return lower_.rows(); }

 private:
  Eigen::MatrixXf lower_;  // of the matrix with its diagonal scaled to 1, so that no entry leaves the range
  Vector unit_;            // 1/√ of that diagonal
};

}  // namespace spicymkl
