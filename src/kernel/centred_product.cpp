#include "centred_product.hpp"
#include "core/renew.hpp"

#include "base_rules.hpp"
#include "base_sums.hpp"

namespace spicymkl {

namespace {

/// Of ‖x − m‖² + ‖z − m‖², what is left as a squared distance may be no smaller: by sums of 64 columns at a time it
/// then has twelve digits whatever the numbers, and fourteen most of the time.
constexpr double kLeftOver = 1.0 / 32;
/// A point whose squared norm is smaller than so much of mᵀm is too close to the origin.
constexpr double kFarFromCentre = 0.25;
/// Single values cost more than those of a whole tile, which are summed together.
constexpr std::size_t kFewValues = 64;

/// values −= m, with what they then add to the terms of their rows.
SPICYMKL_INLINE inline void centre_column(double m, double* values, Index n, double* squares, double* products) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) {
    const double value = values[i] - m;
    values[i] = value;
    squares[i] += value * value;
    products[i] += m * value;
  }
}

}  // namespace

void CentredProduct::centre_panels(Index n_table_columns) {
  row_part_.clear(tile_.n_rows);
  column_part_.clear(tile_.n_columns);
  double square = 0;
  simd_dispatch([&]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    for (Index c = 0; c < n_table_columns; ++c) {
      double* z = z_.column(c);
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (Index j = 0; j < tile_.n_columns; ++j) sum += z[j];
      const double m = sum / static_cast<double>(tile_.n_columns);
      square += m * m;
      centre_column(m, z, tile_.n_columns, column_part_.squares.data(), column_part_.products.data());
      centre_column(m, x_.column(c), tile_.n_rows, row_part_.squares.data(), row_part_.products.data());
    }
  });
  rows_.add(row_part_);
  columns_.add(column_part_);
  centre_square_ += square;
}

void CentredProduct::compute(const PointTile& tile) {
  tile_ = tile;
  renew(product_, tile.n_rows, tile.n_columns);
  rows_.clear(tile.n_rows);
  columns_.clear(tile.n_columns);
  centre_square_ = 0;
  for_each_panel(std::ssize(tile.rows->columns()), [&](Index from, Index count) {
    x_.fill(*tile.rows, tile.first_row, tile.n_rows, from, count);
    z_.fill(*tile.columns, tile.first_column, tile.n_columns, from, count);
    centre_panels(count);
    sum_panels<Product>(x_, z_, count, {product_.data(), tile.n_rows, tile.n_rows, tile.n_columns, from > 0});
  });
}

Index CentredProduct::same_point(Index j) const {
  if (tile_.rows->columns().front() != tile_.columns->columns().front()) return -1;
  const Index i = tile_.first_column + j - tile_.first_row;
  return i < tile_.n_rows ? i : -1;
}

template <class Lost>
void CentredProduct::sum_again(Base base, MatrixRef out, const Lost& lost) {
  std::vector<std::pair<Index, Index>> places;
  for (Index j = 0; j < out.cols(); ++j)
    for (Index i = 0; i < out.rows(); ++i)
      if (lost(i, j)) places.emplace_back(i, j);
  const auto sum = [&](Index i, Index j, MatrixRef block) {
    sum_base(base, *tile_.rows, tile_.first_row + i, *tile_.columns, tile_.first_column + j, block);
  };
  if (places.size() <= kFewValues) {
    for (const auto& [i, j] : places) sum(i, j, out.block(i, j, 1, 1));
    return;
  }
  renew(sums_, out.rows(), out.cols());
  sum(0, 0, sums_);
  for (const auto& [i, j] : places) out(i, j) = sums_(i, j);
}

Eigen::ArrayXi CentredProduct::too_small(const Terms& terms) const {
  const auto norms = terms.squares.array() + 2 * terms.products.array() + centre_square_;
  return (!(norms >= kFarFromCentre * centre_square_)).cast<int>();
}

void CentredProduct::inner_products(MatrixRef out) {
  for (Index j = 0; j < out.cols(); ++j)
    out.col(j) = product_.col(j).array() + ((rows_.products.array() + columns_.products(j)) + centre_square_);
  const Eigen::ArrayXi small_rows = too_small(rows_), small_columns = too_small(columns_);
  if ((small_rows != 0).any() || (small_columns != 0).any())
    sum_again(Base::inner_product, out, [&](Index i, Index j) { return small_rows(i) != 0 || small_columns(j) != 0; });
}

void CentredProduct::squared_distances(MatrixRef out) {
  const auto whole = [&](Index j) { return rows_.squares.array() + columns_.squares(j); };
  Index n_lost = 0;
  for (Index j = 0; j < out.cols(); ++j) {
    out.col(j) = whole(j) - 2 * product_.col(j).array();
    if (const Index i = same_point(j); i >= 0) out(i, j) = whole(j)(i);  // not to be counted
    n_lost += (!(out.col(j).array() >= kLeftOver * whole(j))).count();   // an infinity less another is lost, too
  }
  if (n_lost > 0)
    sum_again(Base::squared_distance, out, [&](Index i, Index j) { return !(out(i, j) >= kLeftOver * whole(j)(i)); });
  for (Index j = 0; j < out.cols(); ++j)
    if (const Index i = same_point(j); i >= 0) out(i, j) = 0;
}

}  // namespace spicymkl
