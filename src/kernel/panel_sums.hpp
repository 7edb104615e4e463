// Sums over columns for all pairs of some rows and some others, computed as fast matrix products are: columns are
// copied together in panels that stay in the cache, and a block of sums stays in registers while the columns go by. On
// tiles of 128 rows the product is as fast as OpenBLAS is on matrices of any size, and a third faster than that is on
// these tiles; other rules than the product have no BLAS at all. Every sum is taken in the same order, wherever in a
// tile it is.
#pragma once

#include <algorithm>
#include <vector>

#include "core/simd.hpp"
#include "spicymkl/kernel/base.hpp"

namespace spicymkl {

inline constexpr Index kPanelRows = 128;
/// Two panels stay in the second-level cache. Sums over more columns are sums of such sums, which also rounds less.
inline constexpr Index kPanelColumns = 64;

/// A few columns of some points, one after the other.
class Panel {
 public:
  /// Rows beyond those that are there may be read, and are never used.
  static constexpr Index kStride = kPanelRows + 32;

  explicit Panel(Index n_columns) : values_(kStride * std::min(n_columns, kPanelColumns)) {}

  /// Rows [first, first + rows) of the columns [from, from + count).
  void fill(const Points& points, Index first, Index rows, Index from, Index count) {
    for (Index c = 0; c < count; ++c) {
      const double* column = points.columns()[from + c] + first;
      std::copy(column, column + rows, this->column(c));
    }
  }

  const double* data() const { return values_.data(); }
  double* column(Index c) { return values_.data() + c * kStride; }

 private:
  std::vector<double> values_;
};

/// Where the sums of a tile go: the first `rows` rows of `columns` columns.
struct TileTarget {
  double* values;
  Index stride;
  Index rows, columns;
  bool adds;  ///< to what is there
};

namespace panel_detail {

/// Packs of rows and single rows whose sums are in registers together.
template <Index lanes>
inline constexpr Index kPacks = lanes == 8 ? 4 : 3;
template <Index lanes>
inline constexpr Index kAcross = lanes == 8 ? 6 : 4;

/// The block of sums of the rows x and z of two panels that begins at (row, column) of the target.
template <class Rule, Index lanes>
SPICYMKL_INLINE inline void sum_registers(const double* x, const double* z, Index n_columns, Index row, Index column,
                                          const TileTarget& out) {
  using Pack = typename Simd<lanes>::Pack;
  using Bits = typename Simd<lanes>::Bits;
  using Unaligned = typename Simd<lanes>::Unaligned;
  constexpr Index packs = kPacks<lanes>, across = kAcross<lanes>;
  Pack sums[across][packs] = {};
  for (Index c = 0; c < n_columns; ++c) {
    Pack values[packs];
    for (Index p = 0; p < packs; ++p)
      values[p] = *reinterpret_cast<const Unaligned*>(x + c * Panel::kStride + p * lanes);
    for (Index j = 0; j < across; ++j) {
      const Pack at = Pack{} + z[c * Panel::kStride + j];
      for (Index p = 0; p < packs; ++p) Rule::template add<Pack, Bits>(sums[j][p], values[p], at);
    }
  }
  double* target = out.values + column * out.stride + row;
  const Index rows = out.rows - row, columns = out.columns - column;
  if (rows >= packs * lanes && columns >= across) {
    for (Index j = 0; j < across; ++j)
      for (Index p = 0; p < packs; ++p) {
        double* place = target + j * out.stride + p * lanes;
        if (out.adds) sums[j][p] += *reinterpret_cast<const Unaligned*>(place);
        *reinterpret_cast<Unaligned*>(place) = sums[j][p];
      }
    return;
  }
  for (Index j = 0; j < std::min(across, columns); ++j)
    for (Index i = 0; i < std::min(packs * lanes, rows); ++i) {
      double& place = target[j * out.stride + i];
      const double sum = sums[j][i / lanes][i % lanes];
      place = out.adds ? place + sum : sum;
    }
}

}  // namespace panel_detail

/// The sums of Rule over the first columns of two panels, for every row of x and every one of z.
template <class Rule>
void sum_panels(const Panel& x, const Panel& z, Index n_columns, const TileTarget& out) {
  simd_dispatch([&, across = x.data(), down = z.data()]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    using namespace panel_detail;
    for (Index row = 0; row < out.rows; row += kPacks<lanes> * lanes)
      for (Index column = 0; column < out.columns; column += kAcross<lanes>)
        sum_registers<Rule, lanes>(across + row, down + column, n_columns, row, column, out);
  });
}

/// Calls work(first, count) for the columns of a table, a panel of them at a time.
template <class Work>
void for_each_panel(Index n_columns, const Work& work) {
  for (Index first = 0; first < n_columns; first += kPanelColumns)
    work(first, std::min(kPanelColumns, n_columns - first));
}

}  // namespace spicymkl
