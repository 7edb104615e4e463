// Strings as cells of a CSV file.
#pragma once

#include <string>
#include <string_view>

namespace spicymkl {

/// Quoted where it has to be.
std::string csv_cell(std::string_view text);

}  // namespace spicymkl
