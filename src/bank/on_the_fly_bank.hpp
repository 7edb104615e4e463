// Kernels that are never stored: their entries are computed in tiles, each time they are needed.
#pragma once

#include "spicymkl/bank/bank.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

class OnTheFlyBank final : public KernelBank {
 public:
  /// subset_bytes: memory that subset() may use to keep the few kernels of a working set as dense matrices.
  OnTheFlyBank(std::shared_ptr<const Samples> training, std::vector<FittedKernel> kernels, double subset_bytes,
               int threads, Watch watch = {}, double work_bytes = std::numeric_limits<double>::infinity());

  Index n_samples() const override { return training_->n_rows(); }
  Index n_kernels() const override { return static_cast<Index>(kernels_.size()); }
  std::string name(Index kernel) const override { return fitted(kernel).spec().name; }
  void products(KernelSet set, ConstVectorRef v, MatrixRef out) const override;
  void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const override;
  void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  void weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  std::shared_ptr<const KernelBank> subset(std::vector<Index> kernels, const KernelBank* previous) const override;
  Index quick_subset() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double trace(Index kernel) const override { return traces_(kernel); }
  double eigenvalue_bound(Index kernel) const override { return traces_(kernel); }
  std::vector<BankUse> use() const override;
  int threads() const override { return threads_; }

  const FittedKernel& fitted(Index kernel) const { return kernels_[static_cast<std::size_t>(kernel)]; }
  const Samples& training() const { return *training_; }
  Index family(Index kernel) const { return family_[static_cast<std::size_t>(kernel)]; }

 private:
  /// Calls visit(part, k, row, column, tile) for the k-th kernel of the set and every tile of the lower triangle of its
  /// Gram matrix on these training rows: tile(i, j) is entry (row + i, column + j). The work is in so many parts, each
  /// done by one thread; which part does what depends on the arguments alone.
  template <class Visit>
  void sweep(KernelSet set, const std::vector<Index>& rows, Index parts, const Visit& visit) const;
  /// The same for all rows against the columns of `support`: tile(i, j) is entry (row + i, support[column + j]). One
  /// part does all tiles of a row.
  template <class Visit>
  void sweep_columns(KernelSet set, const std::vector<Index>& support, const Visit& visit) const;

  std::shared_ptr<const Samples> training_;
  std::vector<FittedKernel> kernels_;
  std::vector<Index> family_;  // kernels of one family have the same base values: same base, same columns
  double subset_bytes_;
  int threads_;
  Vector traces_;
};

}  // namespace spicymkl
