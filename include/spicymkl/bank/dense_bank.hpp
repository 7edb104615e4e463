// Precomputed Gram matrices in double precision, all in memory.
#pragma once

#include <vector>

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class DenseBank final : public KernelBank {
 public:
  /// grams[m] points at N×N doubles, symmetric, kept alive by `owner`. Names may be empty. threads = 0: all cores.
  /// The matrices are taken as they are: check_gram_matrices finds what is wrong with a user's matrices.
  DenseBank(std::vector<const double*> grams, Index n_samples, std::vector<std::string> names, int threads,
            std::shared_ptr<const void> owner, Watch watch = {});

  Index n_samples() const override { return n_; }
  Index n_kernels() const override { return static_cast<Index>(grams_.size()); }
  std::string name(Index kernel) const override;
  void products(KernelSet set, ConstVectorRef v, MatrixRef out) const override;
  void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const override;
  void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  bool has_columns() const override { return true; }
  void weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  /// Views of the same matrices.
  std::shared_ptr<const KernelBank> subset(std::vector<Index> kernels, const KernelBank* previous) const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double trace(Index kernel) const override { return traces_(kernel); }
  double eigenvalue_bound(Index kernel) const override;
  std::vector<BankUse> use() const override;
  int threads() const override { return threads_; }

  /// The N×N Gram matrix of one kernel.
  Eigen::Map<const Matrix> gram(Index kernel) const;

 private:
  /// products and quadratic_forms when few entries of v, the support, are not 0: read those columns, and of these rows,
  /// alone.
  void sparse_products(KernelSet set, ConstVectorRef v, const std::vector<Index>& support, MatrixRef out) const;
  void sparse_forms(KernelSet set, ConstVectorRef v, const std::vector<Index>& support, VectorRef out) const;
  const double* data(Index kernel) const { return grams_[static_cast<std::size_t>(kernel)]; }
  /// Multiplications of one product with a kernel.
  double pass_cost() const { return static_cast<double>(n_) * static_cast<double>(n_); }

  std::vector<const double*> grams_;
  Index n_;
  std::vector<std::string> names_;
  int threads_;
  std::shared_ptr<const void> owner_;
  Vector traces_;
};

}  // namespace spicymkl
