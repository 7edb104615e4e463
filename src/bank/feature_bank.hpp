// Kernels by features, k̃(x, z) = φ(x)ᵀφ(z): every operation streams over the rows, whose features are computed from
// the table when they are needed. Nothing of N×N is kept, and nothing of the size of all features.
#pragma once

#include "low_rank_bank.hpp"
#include "spicymkl/bank/bank.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

class FeatureBank final : public KernelBank, public KernelFactors, public KernelSums {
 public:
  /// Every kernel has features.
  FeatureBank(std::shared_ptr<const Samples> training, std::vector<FittedKernel> kernels, int threads, Watch watch = {},
              double work_bytes = std::numeric_limits<double>::infinity());

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  /// That of the kernel which the features stand for, where these leave a part of it out: an upper bound, for which no
  /// feature is computed.
  double trace(Index kernel) const override { return traces_(kernel); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override;
  /// The features of a few kernels are kept where they fit: reading them takes less than computing them.
  KernelSubsets subsets() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  std::string name(Index kernel) const override { return kernels_[kernel].spec().name; }
  std::vector<BankUse> use() const override;

  const KernelFactors* factors() const override { return this; }
  Index factor_width(Index kernel) const override { return map(kernel).width(); }
  void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const override;
  void rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override {
    weighted_product(set, weights, V, out);
  }
  const KernelSums* sums() const override { return this; }
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  void add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const override;

  // For the Newton system, which works with all features of some kernels side by side, Φ.

  Index total_width(KernelSet set) const;
  /// ΦᵀV
  Matrix feature_sums(KernelSet set, ConstMatrixRef V) const;
  /// out += ΦW
  void add_features(KernelSet set, ConstMatrixRef W, MatrixRef out) const;
  /// out(·, i) = the features of row first + i.
  void transposed_features(KernelSet set, Index first, MatrixRef out) const;

 private:
  /// Calls add(U) for the weighted factor U of every kernel of a set.
  template <class Add>
  void for_each_factor(KernelSet set, ConstVectorRef weights, const Add& add) const;
  const FeatureMap& map(Index kernel) const { return kernels_[kernel].features(); }
  /// Sums of raw features, Σ_i g(x_i) v_iᵀ, kernel by kernel.
  std::vector<Matrix> raw_sums(KernelSet set, ConstMatrixRef V) const;
  /// Calls body(row, raw) for blocks of these rows of a kernel.
  template <class Body>
  void for_each_block(Index kernel, Index first, Index last, Matrix& workspace, const Body& body) const;
  /// Calls body(first, last, workspace) for chunks of rows, on the threads of the bank.
  template <class Body>
  void for_each_chunk(double cost_per_row, const Body& body) const;
  double cost_per_row(KernelSet set) const;
  /// The features of these kernels, kept for all rows until others are.
  std::vector<SharedFactor> keep_features(KernelSet set) const;
  /// Null where they are not kept.
  SharedFactor kept_features(Index kernel) const;

  std::shared_ptr<const Samples> training_;
  std::vector<FittedKernel> kernels_;
  Index chunk_;  // rows that one thread does at a time; sums of chunks are added in order, whatever the threads
  Vector traces_;
  mutable std::mutex keeping_;
  mutable std::map<Index, SharedFactor>
      kept_;  // of the last subset: working sets one after the other have much in common
};

}  // namespace spicymkl
