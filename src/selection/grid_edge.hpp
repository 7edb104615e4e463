// A choice at the edge of what was tried: the best may lie beyond.
#pragma once

#include "spicymkl/selection/cross_validation.hpp"

namespace spicymkl {

enum class GridEdge { none, smallest, largest };

/// Where the best alpha lies among those that were tried; `none` if it was the only one.
GridEdge edge_of(const CrossValidation& result);

}  // namespace spicymkl
