// Matrices diag(d_k) + ΣwK over the rows of a bank that differ in their diagonals alone.
#pragma once

#include <memory>

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Where there is room for the sum of the kernels and for each, as matrices, each is factored as √d(I + S/√(dd))√d,
/// which has no small eigenvalue however large d is, unless systems of the kernels' ranks are quicker; else each is a
/// Newton system. Equal diagonals share one.
class RowFactors {
 public:
  explicit RowFactors(const KernelBank& bank);

  /// One column of `diagonals` for each matrix. `sharp`: all digits count, which systems of ranks lose some of.
  [[nodiscard]] bool factor(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals, bool sharp);
  /// True where solving with as many columns as there are rows is no more than a few factorisations.
  bool dense() const { return dense_; }
  /// How many matrices differ: 1, or all of them.
  Index count() const { return count_; }
  /// Whether there is room for a system of the kernels' ranks for each matrix, and it is quicker than the matrices.
  bool ranks_pay(KernelSet kernels) const;
  /// Where dense: the lower triangle of ΣwK.
  const Matrix& sum() const { return sum_; }
  /// B ← the inverse of matrix k < count() times B.
  void solve(Index k, MatrixRef B) const;
  /// Where dense: lower triangle of `sum` += the inverse of matrix k.
  void add_inverse(Index k, MatrixRef sum) const;
  /// Where dense: the inverse is HᵀH, and B becomes HB, or HᵀB.
  void solve_half(Index k, MatrixRef B) const;
  void solve_other_half(Index k, MatrixRef B) const;

 private:
  /// As that of the bank, which may know no limit; the machine has one.
  bool has_room_for(double n_matrices) const;
  bool factor_dense(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals);
  bool factor_by_bank(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals);
  /// That of the bank, unless there is no room for so many of them.
  std::unique_ptr<NewtonSystem> make_system() const;
  /// Calls body(part) for parts of the columns of B, each column of which takes so many multiplications per entry.
  template <class Body>
  void for_columns(MatrixRef B, double multiplications, const Body& body) const;

  const KernelBank& bank_;
  double room_;  // bytes
  Index count_ = 0;
  bool dense_ = false;
  Matrix sum_;                                          // ΣwK, lower triangle
  Matrix roots_;                                        // 1/√d
  std::vector<Matrix> factors_;                         // lower Cholesky factors
  std::vector<std::unique_ptr<NewtonSystem>> systems_;  // where not dense
};

}  // namespace spicymkl
