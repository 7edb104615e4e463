// The linear constraints on ρ that come with whatever enters predictions without a penalty.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Uᵀρ = 0. Of N samples with K outputs ρ has N·K entries, those of one output after those of another. Predictions of
/// output k gain C·b_k, C being N×c: a column of ones for the intercept, one per covariate. As b_k costs nothing,
/// Cᵀρ_k = 0. Where a loss does not change when all outputs of a sample are shifted alike, Σ_k ρ_ik = 0 as well; where
/// it does not depend on an entry at all, that entry of ρ is 0.
class DualConstraints {
 public:
  /// None.
  explicit DualConstraints(Index n_samples = 0, Index n_outputs = 1) : columns_(n_samples, 0), n_outputs_(n_outputs) {}
  DualConstraints(Matrix columns, Index n_outputs, bool rows_sum_to_zero, std::vector<Index> zeros = {})
      : columns_(std::move(columns)),
        n_outputs_(n_outputs),
        rows_sum_to_zero_(rows_sum_to_zero),
        zeros_(std::move(zeros)) {}

  bool empty() const { return columns_.cols() == 0 && !rows_sum_to_zero_ && zeros_.empty(); }
  const Matrix& columns() const { return columns_; }
  Index n_columns() const { return columns_.cols(); }
  Index n_samples() const { return columns_.rows(); }
  Index n_outputs() const { return n_outputs_; }
  bool rows_sum_to_zero() const { return rows_sum_to_zero_; }
  /// Nothing but 1ᵀρ_k = 0 for every output.
  bool intercept_alone() const;

  /// z += C·B, where column k of B belongs to output k.
  void add_predictions(ConstMatrixRef B, VectorRef z) const;
  /// Cᵀρ_k, column by column.
  Matrix moments(ConstVectorRef rho) const;
  /// The largest violation, in parts of what the entries of ρ could make it.
  double violation(ConstVectorRef rho) const;
  /// v − WUλ with the λ that makes it satisfy the constraints; W = diag(weights) ≥ 0. Entries of weight 0 stay. False,
  /// with v as it was, where the others are too few.
  bool restore(ConstVectorRef weights, VectorRef v) const;
  /// Takes off a gradient what the multipliers of sums over rows, and of entries that are 0, may be.
  void remove_multipliers(VectorRef gradient) const;

 private:
  /// `restore` where outputs know nothing of each other, and where they sum to zero.
  bool restore_by_output(const Vector& weights, VectorRef v) const;
  bool restore_together(const Vector& weights, VectorRef v) const;

  Matrix columns_;
  Index n_outputs_;
  bool rows_sum_to_zero_ = false;
  std::vector<Index> zeros_;
};

}  // namespace spicymkl
