// The outline of a histogram as a line.
#pragma once

#include "charts.hpp"
#include "spicymkl/model/effects.hpp"

namespace spicymkl {

/// Steps over bins; narrower bars at values that are counted one by one.
Charts::Json density_line(const ColumnDensity& density);

}  // namespace spicymkl
