// LIBSVM / SVMlight: "label index:value index:value … # comment", indices from 1, increasing; what is not named is 0.
#pragma once

#include <string>
#include <string_view>

#include "spicymkl/io/read_table.hpp"

namespace spicymkl {

Table read_libsvm(std::string_view text, const std::string& path, const TableOptions& options);

}  // namespace spicymkl
