// Kernels of low numerical rank: K_m ≈ Z_m Z_mᵀ with few columns, by pivoted Cholesky.
#pragma once

#include "matrices_of_factors.hpp"
#include "spicymkl/bank/bank.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

/// Z with K ≈ ZZᵀ: pivoted Cholesky until the trace of K − ZZᵀ, which bounds every entry of it, is at most
/// tolerance·trace(K). Only the diagonal and the pivots' columns of K are computed. Empty when more than max_rank
/// columns would be needed. Throws Stopped when the watch says so.
Matrix pivoted_cholesky(const FittedKernel& kernel, const Samples& training, double tolerance, Index max_rank,
                        const Watch& watch = {});

/// How much of the trace of K a factor made with this tolerance leaves out at most, rounding included.
double missing_trace(const Matrix& factor, double tolerance);

class LowRankBank final : public KernelBank, public KernelColumns, public KernelFactors, public KernelSums {
 public:
  /// missing: of each kernel, the trace that its factor leaves out at most.
  LowRankBank(std::vector<SharedFactor> factors, Vector missing, Index n_samples, std::vector<std::string> names,
              int threads, Watch watch = {}, double work_bytes = std::numeric_limits<double>::infinity());
  LowRankBank(std::vector<Matrix> factors, Vector missing, Index n_samples, std::vector<std::string> names, int threads,
              Watch watch = {}, double work_bytes = std::numeric_limits<double>::infinity());

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return traces_(kernel); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double missing_trace(Index kernel) const override { return missing_(kernel); }
  std::string name(Index kernel) const override { return names_[kernel]; }
  std::vector<BankUse> use() const override;

  const KernelColumns* columns() const override { return this; }
  void column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  const KernelFactors* factors() const override { return this; }
  Index factor_width(Index kernel) const override { return factor(kernel).cols(); }
  void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const override;
  void rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  const KernelSums* sums() const override { return this; }
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  void add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const override;
  bool has_quick_rough_sums() const override;

  const Matrix& factor(Index kernel) const { return *factors_[kernel]; }

 private:
  /// Columns of the factor of the kernel at a position in a set.
  struct Columns {
    Index position, first, width;
  };
  /// So few columns of a factor, of numbers of so many bytes, that they stay in a cache.
  Index columns_in_cache(std::size_t bytes) const;
  /// All columns of the factors of a set, so few at a time.
  std::vector<Columns> columns_of(KernelSet set, std::size_t bytes) const;
  /// Σ_k weights_k Z_k Z_kᵀ V, where factors[k] is Z_k in the precision of V.
  template <class Numbers>
  Numbers sum_of_products(KernelSet set, const std::vector<Eigen::Map<const Numbers>>& factors, ConstVectorRef weights,
                          const Numbers& V) const;
  /// Numbers of a factor, on the mean.
  double mean_size() const;
  /// The kernel as a matrix, where that is worth while.
  const Matrix* matrix(Index kernel) const { return matrices_.find(kernel, factor(kernel), work_bytes(), threads()); }

  std::vector<SharedFactor> factors_;
  Vector missing_, traces_;
  std::vector<std::string> names_;
  mutable MatricesOfFactors matrices_;
};

}  // namespace spicymkl
