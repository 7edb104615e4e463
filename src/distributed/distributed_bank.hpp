// A bank whose kernels live on many ranks, as rank 0 sees it.
#pragma once

#include "office.hpp"

namespace spicymkl {

/// What a bank is made from: kept, so that rank 0 can compute the few kernels of a working set itself.
struct Recipe {
  std::shared_ptr<const Samples> samples;
  std::shared_ptr<const std::vector<FittedKernel>> kernels;
  std::vector<Index> rows;  ///< of the samples that the kernels were fitted on; empty: all

  FittedKernel kernel(Index number) const {
    return rows.empty() ? (*kernels)[number] : (*kernels)[number].on_rows(rows);
  }
};

/// Where the kernels of a bank are, and what each rank said of its part.
struct Spread {
  std::shared_ptr<Team> team;
  std::shared_ptr<RemoteNumber> number;   ///< of the parts
  std::shared_ptr<RemoteNumber> samples;  ///< kept alive while some bank is made from them
  std::vector<int> rank_of;               ///< of every kernel
  Part mine;
  double subset_bytes = 0;   ///< for the matrices of a working set, on each rank
  double least_entries = 0;  ///< of matrices of a working set that stay on their ranks
};

class DistributedBank final : public KernelBank, public KernelColumns, public KernelFactors, public KernelSums {
 public:
  /// `described` is what each rank said of its part; see describe().
  DistributedBank(BankShape shape, Spread spread, Recipe recipe, const std::vector<Answer>& described);

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return facts_(kernel, 0); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override { joint_forms(set, V, 1, out); }
  void joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  /// Of a working set, rank 0 gets the factors, and computes matrices itself where that is little work. Where it is
  /// not, or where there is no room, they stay with their ranks, which keep theirs as suits many readings.
  KernelSubsets subsets() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double missing_trace(Index kernel) const override { return facts_(kernel, 1); }
  std::string name(Index kernel) const override { return (*recipe_.kernels)[kernel].spec().name; }
  std::vector<BankUse> use() const override { return use_; }

  const KernelColumns* columns() const override { return has_columns_ ? this : nullptr; }
  void column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  const KernelFactors* factors() const override { return this; }
  Index factor_width(Index kernel) const override { return static_cast<Index>(facts_(kernel, 2)); }
  void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const override;
  void rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override {
    weighted_product(set, weights, V, out);
  }
  const KernelSums* sums() const override { return has_sums_ ? this : nullptr; }
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;

  const Recipe& recipe() const { return recipe_; }
  bool is_low_rank(Index kernel) const;
  bool by_features(Index kernel) const { return (*recipe_.kernels)[kernel].has_features(); }
  /// How many matrices of a working set there is room for on rank 0, and on all ranks.
  Index room_here() const;
  Index room_over_ranks() const;
  /// Whether so many matrices are better left with their ranks.
  bool worth_spreading(Index n_matrices) const;
  /// Some kernels, each on its rank. Subsets with the same `session` share their work; `mine` are those of rank 0.
  std::shared_ptr<const KernelBank> subset_over_ranks(const std::vector<Index>& kernels, const RemoteNumber& session,
                                                      const KernelSubsets& mine) const;
  const Spread& spread() const { return spread_; }
  /// Of every rank, the positions in a set of its kernels, in order.
  std::vector<std::vector<Index>> positions(KernelSet set) const;

 private:
  void take_in(const std::vector<Answer>& described);
  std::vector<Answer> ask(Question question) const;
  /// The sum that all ranks answer.
  Matrix ask_sum(Question question) const;

  Spread spread_;
  Recipe recipe_;
  Matrix facts_;  // of every kernel: trace, missing trace, width of its factor
  std::vector<BankUse> use_;
  bool has_columns_ = true, has_sums_ = true, has_quick_subsets_ = true;
};

}  // namespace spicymkl
