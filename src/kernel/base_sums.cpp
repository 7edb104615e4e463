#include "base_sums.hpp"

#include <algorithm>
#include <vector>

#include "base_rules.hpp"
#include "panel_sums.hpp"

namespace spicymkl {

namespace {

/// Packs of rows whose sums stay in registers while the columns go by.
constexpr Index kPacksOfRows = 4;

/// out[0 … count) = sums over the columns, for rows first, first + 1, … against the point z.
template <class Rule, Index lanes>
SPICYMKL_INLINE inline void sum_rows(std::span<const double* const> columns, Index first, Index count, const double* z,
                                     double* out) {
  using Pack = typename Simd<lanes>::Pack;
  using Bits = typename Simd<lanes>::Bits;
  using Unaligned = typename Simd<lanes>::Unaligned;
  constexpr Index kStep = kPacksOfRows * lanes;
  Pack sums[kPacksOfRows] = {};
  double padded[kStep] = {};  // the last rows, of which there may be fewer than a step
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double* x = columns[c] + first;
    if (count < kStep) x = (std::copy(x, x + count, padded), padded);
    const Pack at = Pack{} + z[c];
    for (Index pack = 0; pack < kPacksOfRows; ++pack) {
      const Pack values = *reinterpret_cast<const Unaligned*>(x + pack * lanes);
      Rule::template add<Pack, Bits>(sums[pack], values, at);
    }
  }
  if (count < kStep) {
    for (Index i = 0; i < count; ++i) out[i] = sums[i / lanes][i % lanes];
  } else {
    for (Index pack = 0; pack < kPacksOfRows; ++pack) *reinterpret_cast<Unaligned*>(out + pack * lanes) = sums[pack];
  }
}

/// Tiles with fewer rows or columns are summed row by row.
constexpr Index kFewPoints = 4;

/// One point z after the other.
template <class Rule>
void sum_narrow_block(const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out) {
  const auto n_columns = std::ssize(rows.columns());
  std::vector<double> z(n_columns);
  Vector part(out.rows());
  for (Index j = 0; j < out.cols(); ++j) {
    for (Index c = 0; c < n_columns; ++c) z[c] = columns.columns()[c][first_column + j];
    for_each_panel(n_columns, [&](Index from, Index count) {
      simd_dispatch([&, target = from == 0 ? &out(0, j) : part.data()]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
        constexpr Index kStep = kPacksOfRows * lanes;
        for (Index i = 0; i < out.rows(); i += kStep)
          sum_rows<Rule, lanes>(rows.columns().subspan(from, count), first_row + i, std::min(kStep, out.rows() - i),
                                z.data() + from, target + i);
      });
      if (from > 0) out.col(j) += part;
    });
  }
}

template <class Rule>
void sum_tile(const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out) {
  const auto n_columns = std::ssize(rows.columns());
  Panel x(n_columns), z(n_columns);
  for_each_panel(n_columns, [&](Index from, Index count) {
    x.fill(rows, first_row, out.rows(), from, count);
    z.fill(columns, first_column, out.cols(), from, count);
    sum_panels<Rule>(x, z, count, {out.data(), out.outerStride(), out.rows(), out.cols(), from > 0});
  });
}

template <class Rule>
void sum_block(const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out) {
  if (std::min(out.rows(), out.cols()) < kFewPoints)
    return sum_narrow_block<Rule>(rows, first_row, columns, first_column, out);
  for (Index j = 0; j < out.cols(); j += kPanelRows)
    for (Index i = 0; i < out.rows(); i += kPanelRows)
      sum_tile<Rule>(rows, first_row + i, columns, first_column + j,
                     out.block(i, j, std::min(kPanelRows, out.rows() - i), std::min(kPanelRows, out.cols() - j)));
}

}  // namespace

void sum_base(Base base, const Points& rows, Index first_row, const Points& columns, Index first_column,
              MatrixRef out) {
  switch (base) {
    case Base::squared_distance:
      return sum_block<SquaredDifference>(rows, first_row, columns, first_column, out);
    case Base::l1_distance:
      return sum_block<AbsoluteDifference>(rows, first_row, columns, first_column, out);
    case Base::inner_product:
    case Base::cosine:
      return sum_block<Product>(rows, first_row, columns, first_column, out);
    case Base::chi_squared_distance:
      return sum_block<ChiSquaredDifference>(rows, first_row, columns, first_column, out);
    case Base::intersection:
      return sum_block<Minimum>(rows, first_row, columns, first_column, out);
    case Base::matches:
      return sum_block<Equal>(rows, first_row, columns, first_column, out);
  }
}

}  // namespace spicymkl
