#include "p_value.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

double permutation_p_value(double observed, const std::vector<double>& shuffled) {
  constexpr double kRounding = 1e-10;
  const double limit = observed - kRounding * std::abs(observed);
  const auto as_good = std::count_if(shuffled.begin(), shuffled.end(), [&](double score) { return score >= limit; });
  return (1 + static_cast<double>(as_good)) / (1 + static_cast<double>(shuffled.size()));
}

double combined_p_value(std::vector<double> p_values) {
  if (p_values.empty()) return 1;
  const auto half = p_values.begin() + static_cast<std::ptrdiff_t>((p_values.size() - 1) / 2);
  std::nth_element(p_values.begin(), half, p_values.end());
  const double lower = *half;
  const double upper = p_values.size() % 2 == 1 ? lower : *std::min_element(half + 1, p_values.end());
  return std::min(1.0, lower + upper);
}

}  // namespace spicymkl
