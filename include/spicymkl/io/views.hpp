// Several tables side by side: which columns came from which of them, and of which rows each has something to say.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// What becomes of samples that some of the tables lack.
enum class MissingView {
  error,  ///< they are refused
  drop,   ///< they are left out
  zero    ///< they stay: kernels of the tables that lack them are 0 there
};

/// "error", "drop" or "zero"; throws InputError for anything else.
MissingView parse_missing_view(std::string_view name);
std::string_view name_of(MissingView missing);

struct Views {
  std::vector<std::string> names;  ///< of the sources; none: all columns came from one table
  std::vector<Index> of_column;    ///< per column, its source
  MissingView missing = MissingView::error;
  Matrix present;  ///< rows × sources, 1 where the source has the row, else 0; empty: all are 1

  bool several() const { return !names.empty(); }
  bool has(Index row, Index column) const { return present.size() == 0 || present(row, of_column[column]) != 0; }

  /// Per row in [first, first + count): 1 where every source of these columns has it, else 0. Empty where all are 1.
  Vector presence(std::span<const Index> columns, Index first, Index count) const;
  /// The same for all rows of `present`.
  Vector presence(std::span<const Index> columns) const { return presence(columns, 0, present.rows()); }
  /// The rows in which it is 1, of `n_rows`.
  std::vector<Index> present_rows(std::span<const Index> columns, Index n_rows) const;

  /// The given rows, in that order.
  Views rows(std::span<const Index> selected) const;
  /// The given columns, in that order; the sources stay the same.
  Views columns(std::span<const Index> selected) const;
};

}  // namespace spicymkl
