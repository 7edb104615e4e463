// The readers behind read_table, one per format.
#pragma once

#include <string>
#include <string_view>

#include "spicymkl/io/read_table.hpp"

namespace spicymkl {

/// CSV and TSV, by our own reader: errors name line and column, all problems at once, and threads share one file.
Table read_delimited(std::string_view text, char separator, const std::string& path, const TableOptions& options);

/// LIBSVM and SVMlight: "label index:value … # comment", indices from 1, increasing; what is not named is 0.
Table read_libsvm(std::string_view text, const std::string& path, const TableOptions& options);

/// One NPY array, or all arrays of an NPZ archive side by side.
Table read_npy_table(std::string_view bytes, const std::string& path, const TableOptions& options);
Table read_npz_table(std::string_view bytes, const std::string& path, const TableOptions& options);

}  // namespace spicymkl
