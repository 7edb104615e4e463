// Inner products and squared distances of many columns, both from one matrix product.
#pragma once

#include "panel_sums.hpp"

namespace spicymkl {

/// Some points of two tables, at most kPanelRows of each.
struct PointTile {
  const Points* rows;
  Index first_row, n_rows;
  const Points* columns;
  Index first_column, n_columns;
};

/// The product is that of table columns less their mean m over the points z of the tile:
///   xᵀz = (x − m)ᵀ(z − m) + mᵀ(x − m) + mᵀ(z − m) + mᵀm  and  ‖x − z‖² = ‖x − m‖² + ‖z − m‖² − 2(x − m)ᵀ(z − m)
/// lose digits only where points are close together, or far closer to the origin than m is. There they are summed
/// column by column, so that every value has twelve digits. A value does not depend on the other points x of its tile.
class CentredProduct {
 public:
  explicit CentredProduct(Index n_table_columns) : x_(n_table_columns), z_(n_table_columns) {}

  void compute(const PointTile& tile);
  /// Of the tile that was computed last.
  void inner_products(MatrixRef out);
  void squared_distances(MatrixRef out);

 private:
  /// What a point adds to the values of its row or column, beside the product.
  struct Terms {
    Vector squares;   ///< ‖x − m‖²
    Vector products;  ///< mᵀ(x − m)

    void clear(Index n) {
      squares.setZero(n);
      products.setZero(n);
    }
    void add(const Terms& part) {
      squares += part.squares;
      products += part.products;
    }
  };

  /// Subtracts the mean of the columns of z from both panels.
  void centre_panels(Index n_table_columns);
  /// The row that is the same row of the same table as column j; negative where there is none.
  Index same_point(Index j) const;
  /// The points of these terms that are too close to the origin, as 1, and 0 for the others.
  Eigen::ArrayXi too_small(const Terms& terms) const;
  /// The values for which lost(i, j) holds are replaced by their sums.
  template <class Lost>
  void sum_again(Base base, MatrixRef out, const Lost& lost);

  PointTile tile_{};
  Panel x_, z_;
  Matrix product_, sums_;
  Terms rows_, columns_, row_part_, column_part_;
  double centre_square_ = 0;  // mᵀm
};

}  // namespace spicymkl
