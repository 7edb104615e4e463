// Some kernels of another bank, or all of them, renumbered from 0.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Every question goes to the other bank. A bank that wraps another derives from this one and states what it changes.
class ForwardingBank : public KernelBank,
                       public KernelColumns,
                       public KernelFactors,
                       public KernelSums,
                       public KernelMixtures {
 public:
  /// `base` must outlive this bank.
  ForwardingBank(const KernelBank& base, std::vector<Index> kernels);
  /// Keeps `base` alive itself.
  ForwardingBank(std::shared_ptr<const KernelBank> base, std::vector<Index> kernels);

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return base_.trace(in_base(kernel)); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double missing_trace(Index kernel) const override { return base_.missing_trace(in_base(kernel)); }
  std::string name(Index kernel) const override { return base_.name(in_base(kernel)); }
  std::vector<BankUse> use() const override { return base_.use(); }

  const KernelColumns* columns() const override { return base_.columns() ? this : nullptr; }
  void column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  const KernelFactors* factors() const override { return base_.factors() ? this : nullptr; }
  Index factor_width(Index kernel) const override { return base_.factors()->factor_width(in_base(kernel)); }
  void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const override;
  void rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  const KernelSums* sums() const override { return base_.sums() ? this : nullptr; }
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  void add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const override;
  bool has_quick_rough_sums() const override;
  const KernelMixtures* mixtures() const override { return base_.mixtures() ? this : nullptr; }
  std::unique_ptr<KernelMixture> mixture(KernelSet set, ConstVectorRef weights) const override;

  Index in_base(Index kernel) const { return kernels_[kernel]; }
  /// Numbers of the base bank for a set of this one.
  std::vector<Index> in_base(KernelSet set) const;

 private:
  std::shared_ptr<const KernelBank> owned_;  // null when the base is kept alive by others
  const KernelBank& base_;
  std::vector<Index> kernels_;
};

}  // namespace spicymkl
