// A table of numbers as it was read, with all that is needed to name a place in the file it came from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

struct Table {
  std::string path;
  std::vector<std::string> columns;                  ///< names of the columns of `values`
  Matrix values;                                     ///< rows × columns; NaN is a missing cell
  std::vector<std::vector<std::string>> categories;  ///< per column the texts of codes 0…k−1; empty for a number column
  std::string target_name;                           ///< empty when no target was asked for
  std::vector<std::string> target;  ///< the target's text, one per row; an empty text is a missing cell
  std::vector<Index> lines;  ///< 1-based line on which each row begins; empty for arrays, which have rows and no lines

  Index rows() const { return values.rows(); }
  bool has_target() const { return !target_name.empty(); }

  /// "data.csv, line 12", or "data.npy, row 12" (the first row is 1).
  std::string place(Index row) const;
  /// The same with ", column 'age'".
  std::string place(Index row, Index column) const;
  /// The same with the target's column.
  std::string target_place(Index row) const;
};

/// The given rows, in that order. Categories stay those of the whole table: they are the code, not something learned.
Table select_rows(const Table& table, std::span<const Index> rows);

/// Throws InputError with the number of missing cells and the first place (first row, then first column), if there is
/// one.
void check_complete(const Table& table);

/// Rewrites the codes of the categorical columns so that they mean `categories` (those of the training table, column by
/// column). Throws InputError at the first text that `categories` does not have.
void recode_categories(Table& table, const std::vector<std::vector<std::string>>& categories);

}  // namespace spicymkl
