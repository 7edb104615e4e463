// What the rows of a table are called.
#pragma once

#include <string>
#include <vector>

namespace spicymkl::cli {

struct RowNames {
  std::string name;              ///< of the column
  std::vector<std::string> ids;  ///< one per row; empty: they have no names
};

}  // namespace spicymkl::cli
