// φ of a feature kernel: raw features g(x), one function after the other, and a small matrix A that makes them
// φ(x) = Aᵀg(x). Sums over rows are taken of raw features; A is applied to the sums.
#pragma once

#include <memory>

#include "spicymkl/core/watch.hpp"
#include "spicymkl/kernel/normalization.hpp"

namespace spicymkl {

class Monomials;

/// What is fitted, and kept in a model.
struct FeatureConstants {
  Matrix points;     ///< nystrom: the landmarks, one per row; fourier: the frequencies, one per column; exact features
                     ///< of categories: the place of the column and the category, one feature per row
  Matrix whitening;  ///< nystrom: A, upper triangular
  Vector offset;     ///< centred kernels: the means of the raw features over the training rows
  double missing = 0;  ///< part of the trace of the kernel that φ leaves out, measured on a sample
};

/// The kernel that φ stands for, with its normalisation fitted: φ takes over trace and diagonal, and centres itself.
struct FeatureSource {
  std::shared_ptr<const KernelSpec> spec;
  Base base;
  std::shared_ptr<const KernelFunction> function;
  Normalization normalization;

  /// k(x, x) of every row, before normalisation; the rows have the kernel's columns alone, in its order.
  Vector diagonal(ConstMatrixRef rows) const;
  /// What each row of a block is multiplied by where k(x, x) is made 1; else empty.
  Vector terms(ConstMatrixRef rows) const;
};

class FeatureMap {
 public:
  static std::shared_ptr<const FeatureMap> fit(FeatureSource source, const Samples& training, int threads,
                                               const Watch& watch);
  /// From constants fitted before. What does not fit together is an InputError.
  FeatureMap(FeatureSource source, FeatureConstants constants);
  FeatureMap(const FeatureMap&) = delete;  // points_ are those of its own landmarks
  FeatureMap& operator=(const FeatureMap&) = delete;

  const FeatureConstants& constants() const { return constants_; }
  Index n_raw() const { return n_raw_; }
  /// How many numbers φ has.
  Index width() const { return constants_.whitening.size() > 0 ? constants_.whitening.cols() : n_raw_; }
  /// About what the raw features of a row cost, in multiplications.
  double row_cost() const { return static_cast<double>(n_raw_) * (static_cast<double>(n_columns_) + 16); }

  /// out(i, ·) = g(x_i); the rows have the kernel's columns alone, in its order.
  void raw(ConstMatrixRef rows, MatrixRef out) const;
  /// The same for some rows of a table; 0 for those that a source of the kernel lacks.
  void raw(const Samples& samples, Index first, MatrixRef out) const;
  /// What φ(x)ᵀφ(x) stands for, and never exceeds on the mean: k(x, x), normalised but not centred.
  Vector largest_diagonal(const Samples& samples, Index first, Index count) const;
  /// φ of these rows.
  Matrix features(const Samples& samples, Index first, Index count) const;
  /// Aᵀ·sums: sums of raw features, in columns, as sums of features.
  Matrix to_features(ConstMatrixRef sums) const;
  /// A·weights: the raw weights β with g(x)ᵀβ = φ(x)ᵀweights.
  Matrix to_raw(ConstMatrixRef weights) const;
  /// out = raw·A, row by row.
  void whiten(ConstMatrixRef raw, MatrixRef out) const;
  /// rows ← rows·A
  void whiten(MatrixRef rows) const;

 private:
  void check() const;
  Matrix rows_of(const Samples& samples, Index first, Index count) const;
  Vector presence(const Samples& samples, Index first, Index count) const;
  void raw_landmarks(ConstMatrixRef rows, MatrixRef out) const;
  void raw_waves(ConstMatrixRef rows, MatrixRef out) const;
  void raw_categories(ConstMatrixRef rows, MatrixRef out) const;
  void raw_monomials(ConstMatrixRef rows, MatrixRef out) const;

  FeatureSource source_;
  FeatureConstants constants_;
  Index n_columns_;
  Index n_raw_;
  double factor_ = 1;               // of every feature: 1/√trace
  std::unique_ptr<Points> points_;  // the landmarks
  Vector landmark_terms_;
  std::shared_ptr<const Monomials> monomials_;  // exact features of numbers
};

}  // namespace spicymkl
