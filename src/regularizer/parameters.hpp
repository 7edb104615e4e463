// What the regularisers share: checks for their constructors, each of which returns the value it was given, and the
// range of a weight.
#pragma once

#include <algorithm>
#include <limits>

namespace spicymkl {

double checked_alpha(double alpha);
double checked_l1_ratio(double l1_ratio);
double checked_q(double q);

/// A weight x^(2−q) may be beyond the range of a double; a model holds finite numbers.
inline double finite_weight(double weight) { return std::min(weight, std::numeric_limits<double>::max()); }

}  // namespace spicymkl
