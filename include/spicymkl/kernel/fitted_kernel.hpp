// A kernel whose normalisation is fitted: it computes the training Gram matrix and blocks against new rows.
#pragma once

#include <memory>

#include "spicymkl/core/watch.hpp"
#include "spicymkl/kernel/feature_map.hpp"
#include "spicymkl/kernel/row_terms.hpp"

namespace spicymkl {

/// It holds no rows: the thousands of kernels of a bank share one table. `training` below is the table it was fitted
/// on, or, unless needs_all_training_rows(), any rows of it: a model keeps only those that its predictions need.
/// Samples have the columns of that table, in its order, standardised as it was. Where sources lack rows, the kernel is
/// fitted on the rows that all sources of its columns have, and is 0 in all others.
class FittedKernel {
 public:
  /// Checks the kernel against the training rows and fits its normalisation. threads = 0: all cores. Throws Stopped
  /// when the watch says so.
  static FittedKernel fit(KernelSpec spec, const Samples& training, int threads, const Watch& watch = {});
  /// From constants fitted before.
  FittedKernel(KernelSpec spec, Normalization normalization);
  FittedKernel(KernelSpec spec, Normalization normalization, FeatureConstants features);

  /// The same kernel where these training rows alone are the training table: its values do not change.
  FittedKernel on_rows(std::span<const Index> rows) const;

  const KernelSpec& spec() const { return *spec_; }
  const std::shared_ptr<const KernelSpec>& shared_spec() const { return spec_; }
  const Normalization& normalization() const { return normalization_; }
  const KernelFunction& function() const { return *function_; }
  Base base() const { return base_; }
  /// Centring a new row takes its mean over every training row.
  bool needs_all_training_rows() const { return normalization_.kind == Normalize::center && !has_features(); }
  /// A kernel by features computes neither base values nor terms: all of it is in features().
  bool has_features() const { return features_ != nullptr; }
  const FeatureMap& features() const { return *features_; }
  /// φ of the features that the kernel has by itself; there are some.
  std::shared_ptr<const FeatureMap> exact_features(const Samples& training) const;

  /// The N×N training Gram matrix, exactly symmetric.
  void gram(const Samples& training, MatrixRef out, int threads) const;
  /// out(i, j) = kernel of row i of `fresh` and row j of `training`: never any jitter, even when they are the same
  /// table.
  void cross(const Samples& fresh, const Samples& training, MatrixRef out, int threads) const;
  /// The same for some training rows: out(i, j) belongs to training row rows[j].
  void cross(const Samples& fresh, const Samples& training, std::span<const Index> rows, MatrixRef out,
             int threads) const;
  /// The kernel of each row of `fresh` with itself, jitter included.
  Vector diagonal(const Samples& fresh, const Samples& training, int threads) const;
  /// The diagonal of the training Gram matrix.
  Vector training_diagonal(const Samples& training) const;

  // The parts of the above, for banks that compute in tiles: base_block, then finish, then (on training rows) the
  // jitter.

  Points points(const Samples& samples) const { return Points(samples, spec_->columns, base_); }
  RowTerms training_terms(const Samples& training) const;
  RowTerms terms(const Samples& fresh, const Samples& training, int threads) const;
  /// Base values ← normalised kernel values, given the terms of the rows and columns of the block.
  void finish(MatrixRef block, const RowTermsRef& row_terms, const RowTermsRef& column_terms) const;
  /// What the jitter adds to the training diagonal entry of a row.
  double scaled_jitter(const RowTerms& terms, Index row) const {
    return terms.has(row) ? normalization_.scaled_jitter(spec_->jitter, terms.value(row)) : 0;
  }

 private:
  /// About what one value costs, in multiplications: its base, then the map.
  double entry_cost() const { return static_cast<double>(spec_->columns.size()) + 16; }
  static FittedKernel fit_present(KernelSpec spec, const Samples& training, std::span<const Index> rows, int threads,
                                  const Watch& watch);
  Vector presence(const Samples& samples) const { return samples.views.presence(spec_->columns); }
  Vector normalized_diagonal(const Samples& samples, const RowTerms& terms) const;
  Vector raw_diagonal(const Samples& samples) const;
  Vector diagonal_terms(const Samples& samples) const;
  Vector means_over_training(const Samples& fresh, const Samples& training, int threads, const Watch& watch = {}) const;
  FeatureSource feature_source() const { return {spec_, base_, function_, normalization_}; }
  void fit_trace(const Samples& training);
  void fit_center(const Samples& training, int threads, const Watch& watch);

  std::shared_ptr<const KernelSpec> spec_;  // shared by the copies of a kernel in several banks
  Base base_;
  std::shared_ptr<const KernelFunction> function_;
  Normalization normalization_;
  std::shared_ptr<const FeatureMap> features_;  // null: the kernel itself
};

}  // namespace spicymkl
