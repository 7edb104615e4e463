// Several outputs per row, over kernels of the rows: of K outputs each kernel is I_K ⊗ K_m, so that one norm, one
// weight and one decision stand for all of them, ‖ρ‖²_Km = tr(ρᵀK_mρ). A solver sees N·K samples and does not notice.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Vectors hold the outputs one after the other: entry k·N + i is output k of row i. Reading a kernel for all outputs
/// is one product with K columns.
class OutputsBank final : public KernelBank {
 public:
  OutputsBank(std::shared_ptr<const KernelBank> rows, Index n_outputs);

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return static_cast<double>(n_outputs()) * rows_->trace(kernel); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override;
  KernelSubsets subsets() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  /// The largest eigenvalue of what is left out is no larger for all outputs than for one.
  double missing_trace(Index kernel) const override { return rows_->missing_trace(kernel); }
  std::string name(Index kernel) const override { return rows_->name(kernel); }
  std::vector<BankUse> use() const override { return rows_->use(); }

  /// The kernels of the rows.
  const KernelBank& of_rows() const { return *rows_; }

 private:
  /// Where some outputs are 0, and so are their images.
  void products_of_some(KernelSet set, const Matrix& V, MatrixRef out) const;

  std::shared_ptr<const KernelBank> rows_;
};

/// The bank itself where there is one output, or no bank.
std::shared_ptr<const KernelBank> with_outputs(std::shared_ptr<const KernelBank> rows, Index n_outputs);

}  // namespace spicymkl
