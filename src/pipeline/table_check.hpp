// All that can be known to be wrong with a table once it is read.
#pragma once

#include "spicymkl/io/table.hpp"

namespace spicymkl {

/// Strings that are not UTF-8, rows without a target, weights that are not above 0 and, unless they will be imputed,
/// missing cells: all at once as TableProblems.
void check_table(const Table& table, bool imputed, int threads = 1);

/// Model files and JSON hold UTF-8 only: an InputError now, not after the training.
void check_texts(const Table& table);

/// Sample weights from a file, one per row, .npy or .csv, for a table that has none in a column.
void read_weights(Table& table, const std::string& path);

}  // namespace spicymkl
