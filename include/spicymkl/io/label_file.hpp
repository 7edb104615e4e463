// Labels that come without a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// One string per sample: the cells of a .npy file of one column, numbers or strings, or the lines of a text file
/// (.csv, .tsv, .txt) without a header. Anything else is an InputError naming the file.
std::vector<std::string> read_labels(const std::string& path);

/// Several targets: the numbers of a .npy file of samples × targets, with at least two columns; none if it is another
/// file. A number that is infinite is an InputError, one that is missing is NaN.
std::optional<Matrix> read_several_targets(const std::string& path);

}  // namespace spicymkl
