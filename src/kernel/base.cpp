#include "spicymkl/kernel/base.hpp"

#include <algorithm>
#include <cmath>

#include "base_tiles.hpp"

namespace spicymkl {

namespace {

/// Σ over the columns, for each point: sums of sums of a panel of columns, which round less.
template <class Term>
Vector sum_of_terms(const Points& points, const Term& term) {
  Vector sum = Vector::Zero(points.n_points()), part(points.n_points());
  for_each_panel(std::ssize(points.columns()), [&](Index from, Index count) {
    part.setZero();
    for (const double* column : points.columns().subspan(from, count))
      part += term(Eigen::Map<const Vector>(column, points.n_points()));
    sum += part;
  });
  return sum;
}

Vector squared_norms(const Points& points) {
  return sum_of_terms(points, [](const auto& column) { return column.cwiseAbs2(); });
}

/// 0 where there is nothing to divide by: a row of zeros is like no other.
Vector inverse_roots(const Vector& squares) {
  return squares.unaryExpr([](double square) { return square > 0 ? 1 / std::sqrt(square) : 0; });
}

}  // namespace

Points::Points(const Samples& samples, std::span<const Index> columns, Base base)
    : base_(base), n_points_(samples.n_rows()) {
  for (const Index column : columns) columns_.push_back(samples.values.col(column).data());
  find_norms();
}

Points::Points(ConstMatrixRef values, Base base) : base_(base), n_points_(values.rows()) {
  for (Index j = 0; j < values.cols(); ++j) columns_.push_back(values.col(j).data());
  find_norms();
}

void Points::find_norms() {
  if (base_ == Base::cosine) inverse_norms_ = inverse_roots(squared_norms(*this));
}

void base_block(const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out) {
  BaseTiles bases({rows.base()}, std::ssize(rows.columns()));
  for (Index j = 0; j < out.cols(); j += kPanelRows)
    for (Index i = 0; i < out.rows(); i += kPanelRows) {
      std::vector<MatrixRef> tile = {
          out.block(i, j, std::min(kPanelRows, out.rows() - i), std::min(kPanelRows, out.cols() - j))};
      bases.compute({&rows, first_row + i, &columns, first_column + j}, tile);
    }
}

void base_diagonal(const Points& points, VectorRef out) {
  switch (points.base()) {
    case Base::squared_distance:
    case Base::l1_distance:
    case Base::chi_squared_distance:
      out.setZero();
      return;
    case Base::cosine:
      out = (points.inverse_norms().array() > 0).cast<double>();
      return;
    case Base::matches:
      out.setOnes();
      return;
    case Base::inner_product:
      out = squared_norms(points);
      return;
    case Base::intersection:
      out = sum_of_terms(points, [](const auto& column) { return column; });
  }
}

}  // namespace spicymkl
