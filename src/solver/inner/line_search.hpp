// Armijo back-tracking along a Newton direction (Section 3.5.1). Values along the line cost O(N + active kernels).
#pragma once

#include <functional>

#include "spicymkl/core/sloped_value.hpp"

namespace spicymkl {

/// A step c in (0, max_step] that decreases the convex function `along` sufficiently. Departs from plain halving: where
/// the full step overshoots, the slope's zero is bracketed and approached by secants, which costs next to nothing here
/// and saves Newton steps at the kinks of piecewise quadratic objectives. Near convergence, where differences of values
/// drown in rounding, the slope decides (the approximate Wolfe test of Hager and Zhang, 2005). Returns 0 when no
/// decrease can be found.
double line_search(const std::function<SlopedValue(double c)>& along, const SlopedValue& start, double max_step);

}  // namespace spicymkl
