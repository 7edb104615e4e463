// Kernels of low numerical rank: K_m ≈ Z_m Z_mᵀ with few columns, by pivoted Cholesky.
#pragma once

#include <map>
#include <mutex>

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

/// Kernels with wide factors as matrices, for sums and columns. Adding a dense matrix reads n²/2 numbers, adding a
/// factor of r columns takes n²·r/2 multiplications: from some r on the former is quicker. A matrix is made when it is
/// first needed, as long as there is room.
class MatricesOfFactors {
 public:
  /// The lower triangle of ZZᵀ; null where the factor is narrow or there is no room.
  const Matrix* find(Index kernel, const Matrix& factor, double work_bytes, int threads);
  /// The same in single precision, without what is above the diagonal: a quarter of the memory. The workspace, empty at
  /// first, is kept from one kernel to the next.
  const float* find_rough(Index kernel, const Matrix& factor, double work_bytes, int threads, RoughMatrix& workspace);
  /// Whether there is room for so many of these, of n samples.
  static bool have_room(Index n_kernels, Index n, double work_bytes);

 private:
  /// Whether there is room for so many more; if so it is taken.
  bool take(double bytes, double work_bytes);

  std::mutex making_;
  double bytes_ = 0;
  std::map<Index, Matrix> matrices_;
  std::map<Index, std::shared_ptr<const float[]>> rough_;
};

/// Factors are large: banks of some of the same kernels share them.
using SharedFactor = std::shared_ptr<const Matrix>;

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
  /// So few columns of a factor that they stay in a cache.
  Index columns_in_cache() const;
  /// All columns of the factors of a set, so few at a time.
  std::vector<Columns> columns_of(KernelSet set) const;
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
