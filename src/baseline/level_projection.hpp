// The quadratic programme of LevelMKL.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// The point nearest to `start` on the simplex with offset_i + slope_iᵀd ≤ level for every i. Solved in the dual, which
/// has one variable a cut: the general quadratic simplex of Clp takes seconds from a thousand weights on.
Vector project_on_level_set(const Vector& start, const std::vector<double>& offsets, const std::vector<Vector>& slopes,
                            double level);

}  // namespace spicymkl
