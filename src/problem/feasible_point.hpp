// From any vector to one that satisfies every constraint of the dual but those of the kernels.
#pragma once

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

/// See Problem::feasible.
Vector feasible_point(const Problem& problem, ConstVectorRef rho);

}  // namespace spicymkl
