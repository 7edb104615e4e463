// A lower triangle shared out among threads.
#pragma once

#include <cmath>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// First column of a part: columns get shorter, and the parts have the same area. That of part n_parts is n.
inline Index first_column_of_part(Index part, Index n_parts, Index n) {
  const double share = static_cast<double>(part) / static_cast<double>(n_parts);
  return part == n_parts ? n : static_cast<Index>(static_cast<double>(n) * (1 - std::sqrt(1 - share)));
}

}  // namespace spicymkl
