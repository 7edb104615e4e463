#include "spicymkl/kernel/base.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/simd.hpp"

namespace spicymkl {

namespace {

// One rule per base: what one column adds to the sum, for a pack of rows x and one row z.

struct SquaredDifference {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    const Pack difference = x - z;
    sum += difference * difference;
  }
};

struct AbsoluteDifference {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    sum += (Pack)((Bits)(x - z) & std::numeric_limits<std::int64_t>::max());  // all bits but the sign
  }
};

struct Product {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    sum += x * z;
  }
};

struct ChiSquaredDifference {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    const Pack total = x + z;
    const Pack difference = x - z;
    sum += (Pack)((Bits)(difference * difference / total) & (Bits)(total != 0.0));
  }
};

struct Minimum {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    const Bits less = (Bits)(x < z);
    sum += (Pack)(((Bits)x & less) | ((Bits)z & ~less));
  }
};

struct Equal {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    const Pack one = Pack{} + 1.0;
    sum += (Pack)((Bits)one & (Bits)(x == z));
  }
};

/// Packs of rows whose sums stay in registers while the columns go by.
constexpr Index kPacks = 4;

/// out[0 … count) = sums over the columns, for rows first, first + 1, … against the point z.
template <class Rule, Index lanes>
SPICYMKL_INLINE inline void sum_rows(std::span<const double* const> columns, Index first, Index count, const double* z,
                                     double* out) {
  using Pack = typename Simd<lanes>::Pack;
  using Bits = typename Simd<lanes>::Bits;
  using Unaligned = typename Simd<lanes>::Unaligned;
  constexpr Index kStep = kPacks * lanes;
  Pack sums[kPacks] = {};
  double padded[kStep] = {};  // the last rows, of which there may be fewer than a step
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double* x = columns[c] + first;
    if (count < kStep) x = (std::copy(x, x + count, padded), padded);
    const Pack at = Pack{} + z[c];
    for (Index pack = 0; pack < kPacks; ++pack) {
      const Pack values = *reinterpret_cast<const Unaligned*>(x + pack * lanes);
      Rule::template add<Pack, Bits>(sums[pack], values, at);
    }
  }
  if (count < kStep) {
    for (Index i = 0; i < count; ++i) out[i] = sums[i / lanes][i % lanes];
  } else {
    for (Index pack = 0; pack < kPacks; ++pack) *reinterpret_cast<Unaligned*>(out + pack * lanes) = sums[pack];
  }
}

template <class Rule>
void sum_block(const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out) {
  const std::size_t n_columns = rows.columns().size();
  std::vector<double> z(n_columns);
  for (Index j = 0; j < out.cols(); ++j) {
    for (std::size_t c = 0; c < n_columns; ++c) z[c] = columns.columns()[c][first_column + j];
    simd_dispatch([&, target = &out(0, j)]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
      constexpr Index kStep = kPacks * lanes;
      for (Index i = 0; i < out.rows(); i += kStep)
        sum_rows<Rule, lanes>(rows.columns(), first_row + i, std::min(kStep, out.rows() - i), z.data(), target + i);
    });
  }
}

void divide_by_norms(const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out) {
  const auto row_scale = rows.inverse_norms().segment(first_row, out.rows()).array();
  for (Index j = 0; j < out.cols(); ++j) out.col(j).array() *= row_scale * columns.inverse_norms()(first_column + j);
}

Vector inverse_norms_of(std::span<const double* const> columns, Index n) {
  Vector squares = Vector::Zero(n);
  for (const double* column : columns) squares += Eigen::Map<const Vector>(column, n).cwiseAbs2();
  return squares.unaryExpr([](double square) { return square > 0 ? 1 / std::sqrt(square) : 0; });
}

}  // namespace

Points::Points(const Samples& samples, std::span<const Index> columns, Base base)
    : base_(base), n_points_(samples.n_rows()) {
  for (const Index column : columns) columns_.push_back(samples.values.col(column).data());
  if (base == Base::cosine) inverse_norms_ = inverse_norms_of(columns_, n_points_);
}

void base_block(const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out) {
  if (out.size() == 0) return;
  switch (rows.base()) {
    case Base::squared_distance:
      return sum_block<SquaredDifference>(rows, first_row, columns, first_column, out);
    case Base::l1_distance:
      return sum_block<AbsoluteDifference>(rows, first_row, columns, first_column, out);
    case Base::inner_product:
      return sum_block<Product>(rows, first_row, columns, first_column, out);
    case Base::chi_squared_distance:
      return sum_block<ChiSquaredDifference>(rows, first_row, columns, first_column, out);
    case Base::intersection:
      return sum_block<Minimum>(rows, first_row, columns, first_column, out);
    case Base::cosine:
      sum_block<Product>(rows, first_row, columns, first_column, out);
      return divide_by_norms(rows, first_row, columns, first_column, out);
    case Base::matches:
      sum_block<Equal>(rows, first_row, columns, first_column, out);
      out /= static_cast<double>(rows.columns().size());
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
    case Base::intersection:
      break;
  }
  out.setZero();
  for (const double* column : points.columns()) {
    const Eigen::Map<const Vector> x(column, points.n_points());
    if (points.base() == Base::inner_product) out += x.cwiseAbs2();
    else out += x;
  }
}

}  // namespace spicymkl
