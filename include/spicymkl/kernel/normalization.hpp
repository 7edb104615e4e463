// How a kernel is put on one scale with the others: constants fitted on the training rows, applied alike to new rows.
#pragma once

#include "spicymkl/kernel/kernel_spec.hpp"

namespace spicymkl {

/// The constants. Besides them, `diagonal` and `center` need one number for each row of a block, its term: 1/√k(x, x),
/// or the mean of k(x, ·) over the training rows. The others have no terms.
struct Normalization {
  Normalize kind = Normalize::none;
  double trace = 1;       ///< trace: Σ k(x_i, x_i) over the training rows
  Vector row_means;       ///< center: the mean of each row of the training Gram matrix
  double grand_mean = 0;  ///< center: the mean of all of it

  bool has_terms() const { return kind == Normalize::diagonal || kind == Normalize::center; }

  /// block(i, j) = k(x_i, z_j) ← its normalised value, given the terms of the x_i and of the z_j (empty if there are
  /// none).
  void apply(MatrixRef block, ConstVectorRef row_terms, ConstVectorRef column_terms) const;
  /// What adding `jitter` to k(x, x) adds to its normalised value, given the term of x (ignored if there is none).
  double scaled_jitter(double jitter, double term) const;
  /// diagonal(i) = k(x_i, x_i) ← its normalised value.
  void apply_to_diagonal(VectorRef diagonal, ConstVectorRef terms) const;
};

}  // namespace spicymkl
