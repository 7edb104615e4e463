// Labels that come without a table.
#pragma once

#include <string>
#include <vector>

namespace spicymkl {

/// One string per sample: the cells of a .npy file of one column, numbers or strings, or the lines of a text file
/// (.csv, .tsv, .txt) without a header. Anything else is an InputError naming the file.
std::vector<std::string> read_labels(const std::string& path);

}  // namespace spicymkl
