// What is to be done with each column of a file.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/io/read_table.hpp"

namespace spicymkl {

enum class ColumnRole { skip, number, category, target };

struct ColumnPlan {
  std::vector<std::string> names;  ///< of all columns of the file
  std::vector<ColumnRole> role;
  std::vector<Index> slot;  ///< column of the table, for numbers and categories
  Index n_slots = 0;

  Index n_columns() const { return static_cast<Index>(role.size()); }
};

/// Throws InputError for a name the file does not have, a column with two roles, or when no column is left.
ColumnPlan plan_columns(const std::string& path, std::vector<std::string> names, const TableOptions& options);

/// A table with its columns named and its memory taken; the cells are not set.
Table prepare_table(const std::string& path, const ColumnPlan& plan, Index rows);

}  // namespace spicymkl
