// alpha_max for a run that may be stopped before every kernel was read once.
#pragma once

#include <string>

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

struct AlphaMax {
  double value = 1;
  std::string estimated_from;  ///< in words; empty: it is exact
};

/// alpha_max; when the watch of the bank stops that, what a few rows say of it, or the traces of the kernels.
AlphaMax alpha_max_in_time(const Problem& problem);

}  // namespace spicymkl
