// Tables from NumPy arrays: one NPY array, or all arrays of an NPZ archive side by side.
#pragma once

#include <string>
#include <string_view>

#include "spicymkl/io/read_table.hpp"

namespace spicymkl {

Table read_npy_table(std::string_view bytes, const std::string& path, const TableOptions& options);
Table read_npz_table(std::string_view bytes, const std::string& path, const TableOptions& options);

}  // namespace spicymkl
