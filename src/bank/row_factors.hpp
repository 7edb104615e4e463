// Matrices diag(d_k) + ΣwK over the rows of a bank that differ in their diagonals alone.
#pragma once

#include <memory>

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Where the sum of the kernels has room as a matrix, each is factored as √d(I + S/√(dd))√d, which has no small
/// eigenvalue however large d is; else each is a Newton system of the bank. Equal diagonals share one.
class RowFactors {
 public:
  explicit RowFactors(const KernelBank& bank) : bank_(bank) {}

  /// One column of `diagonals` for each matrix.
  [[nodiscard]] bool factor(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals);
  /// True where solving with as many columns as there are rows is no more than a few factorisations.
  bool dense() const { return dense_; }
  /// How many matrices differ: 1, or all of them.
  Index count() const { return count_; }
  /// B ← the inverse of matrix k < count() times B.
  void solve(Index k, MatrixRef B) const;
  /// Where dense: lower triangle of `sum` += the inverse of matrix k.
  void add_inverse(Index k, MatrixRef sum) const;
  /// Where dense: the inverse is HᵀH, and B becomes HB, or HᵀB.
  void solve_half(Index k, MatrixRef B) const;
  void solve_other_half(Index k, MatrixRef B) const;

 private:
  bool factor_dense(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals);
  bool factor_by_bank(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals);
  /// Calls body(part) for parts of the columns of B, each column of which takes so many multiplications per entry.
  template <class Body>
  void for_columns(MatrixRef B, double multiplications, const Body& body) const;

  const KernelBank& bank_;
  Index count_ = 0;
  bool dense_ = false;
  Matrix sum_;                                          // ΣwK, lower triangle
  Matrix roots_;                                        // 1/√d
  std::vector<Matrix> factors_;                         // lower Cholesky factors
  std::vector<std::unique_ptr<NewtonSystem>> systems_;  // where not dense
};

}  // namespace spicymkl
