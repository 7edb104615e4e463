// Chances that shuffled data look as good as the data.
#pragma once

#include <vector>

namespace spicymkl {

/// (1 + #{shuffled ≥ observed}) / (1 + count), larger being better; equal up to rounding counts as equal. Exact where
/// every order is as likely as the one observed (Phipson and Smyth, 2010).
double permutation_p_value(double observed, const std::vector<double>& shuffled);

/// One p-value from several of the same hypothesis that may depend on each other in any way: twice their median
/// (Meinshausen, Meier and Bühlmann, JASA 104, 2009). At most 1; 1 for none.
double combined_p_value(std::vector<double> p_values);

}  // namespace spicymkl
