// The weights of kernels against alpha: one chart for the page and for the picture.
#pragma once

#include "charts.hpp"
#include "spicymkl/selection/path.hpp"

namespace spicymkl {

inline constexpr std::size_t kMostNamed = 8;  // kernels of a path with a colour of their own

/// The `most` kernels with the largest weights; the heaviest few of them have a name.
Charts::Json path_chart(const FitPath& path, const std::vector<std::string>& names, std::size_t most);

}  // namespace spicymkl
