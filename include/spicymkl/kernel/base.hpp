// The base of a kernel: the number through which alone it depends on two rows. Kernels that differ only in width have
// the same base on the same columns, so that a bank computes it once and maps it to many kernels.
#pragma once

#include <span>
#include <vector>

#include "spicymkl/kernel/samples.hpp"

namespace spicymkl {

enum class Base {
  squared_distance,      ///< Σ (x − z)²
  l1_distance,           ///< Σ |x − z|
  inner_product,         ///< Σ xz
  cosine,                ///< Σ xz / (‖x‖‖z‖); 0 where x or z is 0
  chi_squared_distance,  ///< Σ (x − z)² / (x + z), 0/0 = 0
  intersection,          ///< Σ min(x, z)
  matches                ///< the share of columns in which x = z
};

/// Some columns of a table, seen as points. Nothing is copied: the table must outlive it and stay where it is.
class Points {
 public:
  Points(const Samples& samples, std::span<const Index> columns, Base base);
  /// All columns of a matrix.
  Points(ConstMatrixRef values, Base base);

  Base base() const { return base_; }
  Index n_points() const { return n_points_; }
  std::span<const double* const> columns() const { return columns_; }
  /// 1/‖x‖ for each row, 0 where x is, when the base is the cosine; otherwise empty.
  const Vector& inverse_norms() const { return inverse_norms_; }

 private:
  Base base_;
  Index n_points_;
  std::vector<const double*> columns_;
  Vector inverse_norms_;

  void find_norms();
};

/// out(i, j) = base of points `first_row + i` of rows and `first_column + j` of columns. The distance of a row to
/// itself is exactly 0, and close points keep their digits: sums run over the columns of the table, on the differences
/// themselves, in the same order for every pair. With many columns, where that costs more, squared distances are taken
/// from products instead, but for points that lie too close together for ‖x‖² + ‖z‖² − 2xᵀz; base(x, z) and base(z, x)
/// then agree to twelve digits, and to the last bit where rows and columns are the same points.
void base_block(const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out);

/// out(i) = base of point i with itself.
void base_diagonal(const Points& points, VectorRef out);

}  // namespace spicymkl
