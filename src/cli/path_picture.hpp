// A path as a picture: weights of the heaviest kernels against alpha.
#pragma once

#include "path_table.hpp"

namespace spicymkl::cli {

/// One SVG text, one panel a class. Readable on light and on dark ground.
std::string path_picture(const PathTable& table);

}  // namespace spicymkl::cli
