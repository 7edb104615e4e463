// Precomputed Gram matrices in single precision: half the memory. Every sum is taken in double precision.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class SingleBank final : public KernelBank {
 public:
  /// grams[m] points at N×N floats, symmetric, kept alive by `owner`.
  SingleBank(std::vector<const float*> grams, Index n_samples, std::vector<std::string> names, int threads,
             std::shared_ptr<const void> owner, Watch watch = {});

  Index n_samples() const override { return n_; }
  Index n_kernels() const override { return static_cast<Index>(grams_.size()); }
  std::string name(Index kernel) const override { return names_[static_cast<std::size_t>(kernel)]; }
  void products(KernelSet set, ConstVectorRef v, MatrixRef out) const override;
  void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const override;
  void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  bool has_columns() const override { return true; }
  void weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double trace(Index kernel) const override { return traces_(kernel); }
  double eigenvalue_bound(Index kernel) const override { return traces_(kernel); }
  bool exact() const override { return false; }
  std::vector<BankUse> use() const override;
  int threads() const override { return threads_; }

  /// The N×N Gram matrix of one kernel.
  const float* gram(Index kernel) const { return grams_[static_cast<std::size_t>(kernel)]; }

 private:
  double pass_cost() const { return static_cast<double>(n_) * static_cast<double>(n_); }

  std::vector<const float*> grams_;
  Index n_;
  std::vector<std::string> names_;
  int threads_;
  std::shared_ptr<const void> owner_;
  Vector traces_;
};

}  // namespace spicymkl
