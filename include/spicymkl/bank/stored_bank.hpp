// Gram matrices in memory: in double precision, or in single precision for half the bytes.
#pragma once

#include <vector>

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Number is double or float; every sum is taken in double precision. Kernels in single precision are approximated.
template <class Number>
class StoredBank final : public KernelBank, public KernelColumns, public KernelSums {
 public:
  using Gram = Eigen::Map<const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>>;

  /// grams[m] points at N×N numbers, symmetric, kept alive by `owner`. Names may be empty. threads = 0: all cores.
  /// The matrices are taken as they are: check_gram_matrices finds what is wrong with a user's matrices.
  StoredBank(std::vector<const Number*> grams, Index n_samples, std::vector<std::string> names, int threads,
             std::shared_ptr<const void> owner, Watch watch = {});
  /// Views of some matrices of another bank.
  StoredBank(const StoredBank& whole, const std::vector<Index>& kernels);

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return traces_(kernel); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const override;
  KernelSubsets subsets() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double missing_trace(Index kernel) const override;
  std::string name(Index kernel) const override;
  std::vector<BankUse> use() const override;

  const KernelColumns* columns() const override { return this; }
  void column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  const KernelSums* sums() const override { return this; }
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;

  /// The N×N Gram matrix of one kernel.
  Gram gram(Index kernel) const { return {grams_[kernel], n_samples(), n_samples()}; }

 private:
  /// products and quadratic_forms of a vector when few of its entries, the support, are not 0: read those columns, and
  /// of these rows, alone.
  void sparse_products(KernelSet set, ConstVectorRef v, MatrixRef out) const;
  void sparse_forms(KernelSet set, ConstVectorRef v, MatrixRef out) const;
  /// Multiplications of one product with a kernel.
  double pass_cost() const { return static_cast<double>(n_samples()) * static_cast<double>(n_samples()); }

  std::vector<const Number*> grams_;
  std::vector<std::string> names_;
  std::shared_ptr<const void> owner_;
  Vector traces_;
};

using DenseBank = StoredBank<double>;
using SingleBank = StoredBank<float>;

}  // namespace spicymkl
