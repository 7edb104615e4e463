// Kernels that are never stored: their entries are computed in tiles, each time they are needed.
#pragma once

#include <map>

#include "spicymkl/bank/bank.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

class OnTheFlyBank final : public KernelBank, public KernelSums {
 public:
  /// subset_bytes: memory that a subset may use to keep the few kernels of a working set as dense matrices.
  OnTheFlyBank(std::shared_ptr<const Samples> training, std::vector<FittedKernel> kernels, double subset_bytes,
               int threads, Watch watch = {}, double work_bytes = std::numeric_limits<double>::infinity());

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return traces_(kernel); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  KernelSubsets subsets() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  std::string name(Index kernel) const override { return kernels_[kernel].spec().name; }
  std::vector<BankUse> use() const override;
  const KernelSums* sums() const override { return this; }
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;

 private:
  using Grams = std::map<Index, std::shared_ptr<const Matrix>>;

  /// Calls visit(part, k, row, column, tile) for the k-th kernel of the set and every tile of the lower triangle of its
  /// Gram matrix on these training rows (empty: all): tile(i, j) is entry (row + i, column + j).
  template <class Visit>
  void sweep(KernelSet set, const std::vector<Index>& rows, Index parts, const Visit& visit) const;
  /// The same for all rows against the columns of `support`: tile(i, j) is entry (row + i, support[column + j]). One
  /// part does all tiles of a row.
  template <class Visit>
  void sweep_columns(KernelSet set, const std::vector<Index>& support, const Visit& visit) const;
  /// Adds factors_k K_set(k) V to block k of out, or, where `together`, to the first.
  void add_products(KernelSet set, ConstVectorRef factors, bool together, ConstMatrixRef V, MatrixRef out) const;
  std::vector<const FittedKernel*> members(KernelSet set) const;
  std::vector<Index> families(KernelSet set) const;
  /// These kernels as dense matrices: those in `kept` are taken from there, the others computed. `kept` becomes these.
  std::shared_ptr<const KernelBank> stored(const std::vector<Index>& kernels, Grams& kept) const;

  std::shared_ptr<const Samples> training_;
  std::vector<FittedKernel> kernels_;
  std::vector<Index> family_;  // kernels of one family have the same base values: same base, same columns
  double subset_bytes_;
  Vector traces_;
};

}  // namespace spicymkl
