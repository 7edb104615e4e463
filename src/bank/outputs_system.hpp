// Newton systems of several outputs: as many systems of the size of the rows as there are outputs, joined by few
// columns and by the constraints.
#pragma once

#include "row_factors.hpp"

namespace spicymkl {

/// The matrix is A + VSVᵀ, A having a block A_k = diag(d_k) + ΣwK for every output and S = diag(±1). With T the inverse
/// of A on the vectors that satisfy the constraints, the solution is Tr − TV(S + VᵀTV)⁻¹VᵀTr, by the identity of
/// Woodbury. Output by output T is T_k = A_k⁻¹ − E_k(CᵀE_k)⁻¹E_kᵀ with E_k = A_k⁻¹C. Where the outputs of a row sum to
/// zero, the multipliers μ of that solve (ΣT_k)μ = ΣT_k r_k, and VᵀTr is ΣV_kᵀT_k r_k less (ΣT_kV_k)ᵀμ: cost grows
/// linearly with the number of outputs, as in Laplace's approximation for Gaussian processes of several classes
/// (Rasmussen and Williams 2006, Section 3.5).
class OutputsSystem final : public NewtonSystem {
 public:
  OutputsSystem(const KernelBank& rows, Index n_outputs) : rows_(rows), n_outputs_(n_outputs), blocks_(rows) {}

  bool factor(const NewtonTerms& terms) override;
  void solve(MatrixRef rhs) override;
  void solve_within(const DualConstraints& constraints, MatrixRef workspace, MatrixRef multipliers,
                    Digits digits = Digits::direction) override;

 private:
  auto low_rank() const { return low_rank_.leftCols(width_); }
  /// r ← r − V(S + VᵀTV)⁻¹VᵀTr
  void remove_low_rank(const DualConstraints& constraints, MatrixRef rhs) const;
  /// Where the rows need not sum to zero and A_k⁻¹ = HᵀH is known by its half: T_k = HᵀΠH with Π the projection off
  /// F = HC, so that all inner products of T are those of the columns ΠH[V r].
  void solve_by_halves(const Matrix& C, VectorRef rhs, MatrixRef multipliers);
  /// B ← ΠHB, less F times `off`.
  void halve(Index k, const Matrix& C, MatrixRef B, MatrixRef off) const;
  /// E_k, CᵀE_k of every output, and what the sums of rows need: worked out once for a factored matrix and the same
  /// constraints.
  void prepare(const DualConstraints& constraints);
  void prepare_row_sums(const DualConstraints& constraints);
  /// R ← TR. Where they are asked for, the multipliers of the columns for the first column of R.
  void apply(const DualConstraints& constraints, MatrixRef R, MatrixRef* multipliers = nullptr) const;
  /// R_k ← T_k R_k for every output.
  void apply_by_output(const DualConstraints& constraints, MatrixRef R) const;
  /// B ← T_k B
  void apply_to_block(const DualConstraints& constraints, Index k, MatrixRef B) const;
  /// Σ_k R_k
  Matrix over_outputs(const Matrix& R) const;
  /// Σ_k T_k X for a matrix of N rows, and X ← (ΣT_k)⁻¹X.
  Matrix sum_over_outputs(const DualConstraints& constraints, const Matrix& X) const;
  void divide_by_sum(const DualConstraints& constraints, Matrix& X) const;

  const KernelBank& rows_;
  Index n_outputs_;
  RowFactors blocks_;
  Matrix diagonal_;  // N × K
  std::vector<Index> kernels_;
  Vector weights_;
  Matrix low_rank_;  // V, and room for more
  Index width_ = 0;  // of V
  Index n_added_ = 0;
  Matrix halves_;  // room for ΠH[V r]
  bool prepared_ = false;
  Matrix prepared_columns_;       // C, with which what follows was worked out,
  bool prepared_rows_ = false;    // and whether rows were to sum to zero
  std::vector<Matrix> through_;   // E_k, one where all outputs have the same matrix
  std::vector<Matrix> capacity_;  // (CᵀE_k)⁻¹
  Matrix row_sums_;               // Cholesky factor of ΣT_k + CC⁺; empty: conjugate gradients
  Vector row_weights_;            // Σ_k 1/d_ik, inverted
};

}  // namespace spicymkl
