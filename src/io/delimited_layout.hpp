// Where the rows of a CSV or TSV file are and what its columns are called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// What is known of a file before its cells are read.
struct Layout {
  std::string path;
  char separator;
  bool has_quotes;
  bool has_header;
  bool header_is_a_guess = false;  ///< nothing but strings speaks for it
  std::vector<std::string> names;
  Index n_unnamed = 0;    ///< leading columns of the header without a name, or with the one that pandas gives them
  std::string_view body;  ///< behind the header
  Index body_line = 1;    ///< line on which it begins

  Index n_columns() const { return std::ssize(names); }
  /// A blank line is no row, unless the table has one column: there it is a missing cell.
  bool skips_blank_lines() const { return names.size() > 1; }
};

}  // namespace spicymkl
