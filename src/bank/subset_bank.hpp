// Some kernels of another bank, renumbered from 0.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class SubsetBank : public KernelBank {
 public:
  /// `base` must outlive this bank.
  SubsetBank(const KernelBank& base, std::vector<Index> kernels);
  /// Keeps `base` alive itself.
  SubsetBank(std::shared_ptr<const KernelBank> base, std::vector<Index> kernels);

  const std::vector<Index>& kernels() const { return kernels_; }

  Index n_samples() const override { return base_.n_samples(); }
  Index n_kernels() const override { return static_cast<Index>(kernels_.size()); }
  std::string name(Index kernel) const override { return base_.name(in_base(kernel)); }
  void products(KernelSet set, ConstVectorRef v, MatrixRef out) const override;
  void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const override;
  bool has_columns() const override { return base_.has_columns(); }
  void weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override {
    base_.weighted_column(to_base(set), weights, i, out);
  }
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override {
    base_.weighted_diagonal(to_base(set), weights, out);
  }
  void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double trace(Index kernel) const override { return base_.trace(in_base(kernel)); }
  double eigenvalue_bound(Index kernel) const override { return base_.eigenvalue_bound(in_base(kernel)); }
  bool exact() const override { return base_.exact(); }
  Index rank(Index kernel) const override { return base_.rank(in_base(kernel)); }
  void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const override {
    base_.weighted_factor(to_base(set), weights, columns);
  }
  double missing_trace(Index kernel) const override { return base_.missing_trace(in_base(kernel)); }
  std::vector<BankUse> use() const override { return base_.use(); }
  int threads() const override { return base_.threads(); }

  /// Numbers of the base bank for a set of this one.
  std::vector<Index> to_base(KernelSet set) const;

 private:
  Index in_base(Index kernel) const { return kernels_[static_cast<std::size_t>(kernel)]; }

  std::shared_ptr<const KernelBank> owned_;  // null when the base is kept alive by others
  const KernelBank& base_;
  std::vector<Index> kernels_;
};

}  // namespace spicymkl
