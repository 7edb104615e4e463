#include "error_bound.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

double bound_without_assumptions(const SelectionCount& count, double threshold) {
  return count.mean * count.mean / ((2 * threshold - 1) * static_cast<double>(count.candidates));
}

std::optional<double> bound_if_unimodal(const SelectionCount& count, double threshold) {
  const double share = count.mean / static_cast<double>(count.candidates);
  const double pair = 1 / static_cast<double>(count.pairs);
  if (share > 1 / std::sqrt(3.0)) return std::nullopt;
  const double least = 0.5 + std::min(share * share, pair / 2 + 0.75 * share * share);
  if (threshold <= least) return std::nullopt;
  const double factor =
      threshold <= 0.75 ? 1 / (2 * (2 * threshold - 1 - pair / 2)) : 4 * (1 - threshold + pair / 2) / (1 + pair);
  if (!(factor > 0)) return std::nullopt;  // few pairs, and a threshold near 1/2
  return factor * share * count.mean;
}

double error_bound(const SelectionCount& count, double threshold, const std::string& assumption) {
  const double bound = bound_without_assumptions(count, threshold);
  return assumption == "nothing" ? bound : std::min(bound, bound_if_unimodal(count, threshold).value_or(bound));
}

}  // namespace spicymkl
