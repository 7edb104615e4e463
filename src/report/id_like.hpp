// Columns that look like the identity of the rows: nothing learned from them carries over to new rows.
#pragma once

#include "spicymkl/io/table.hpp"

namespace spicymkl {

/// Columns whose values are all different and that are called id or like it, or hold categories.
std::vector<std::string> id_like_columns(const Table& table);

}  // namespace spicymkl
