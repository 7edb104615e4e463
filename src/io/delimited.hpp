// CSV and TSV.
#pragma once

#include <string>
#include <string_view>

#include "spicymkl/io/read_table.hpp"

namespace spicymkl {

Table read_delimited(std::string_view text, char separator, const std::string& path, const TableOptions& options);

}  // namespace spicymkl
