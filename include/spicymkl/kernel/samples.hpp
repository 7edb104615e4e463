// What kernels are computed from: the rows and columns of a table, as numbers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spicymkl/io/views.hpp"

namespace spicymkl {

struct Samples {
  std::vector<std::string> columns;
  Matrix values;                        ///< n_rows × n_columns
  std::vector<bool> categorical;        ///< columns that hold category codes 0, 1, 2, …; empty: none
  std::vector<Index> lines = {};        ///< of a file, from which each row was read; may be empty
  std::vector<std::string> names = {};  ///< of rows that came from several tables, such as "patient 'P7'"; may be empty
  Views views = {};                     ///< of several tables; values of a row that a source lacks are 0

  Index n_rows() const { return values.rows(); }
  Index n_columns() const { return values.cols(); }
  /// "line 12" of the file, or "row 12" (the first row is 1); its name if it has one.
  std::string place(Index row) const;
  bool is_categorical(Index column) const { return !categorical.empty() && categorical[column]; }
  /// The values of a column in the rows that its source has: in place, or copied to `room` where it lacks some.
  ConstVectorRef present_values(Index column, Vector& room) const;
};

/// Throws InputError, naming the column and the row, when the parts disagree in size, a column name occurs twice or is
/// empty, a value is not finite, or a category code is not one of 0, 1, 2, … Rows are counted from 1 in every message.
void check_samples(const Samples& samples, int threads = 1);

/// The given rows, in that order.
Samples select_rows(const Samples& samples, std::span<const Index> rows);
/// The given rows of the given columns, both in that order.
Samples select(const Samples& samples, std::span<const Index> rows, std::span<const Index> columns, int threads = 1);
/// The given columns, in that order.
Samples select_columns(const Samples& samples, std::span<const Index> columns);

}  // namespace spicymkl
