#include "grid_edge.hpp"

#include <algorithm>

namespace spicymkl {

GridEdge edge_of(const CrossValidation& result) {
  if (result.points.empty()) return GridEdge::none;
  const auto [smallest, largest] = std::minmax_element(
      result.points.begin(), result.points.end(), [](const CvPoint& a, const CvPoint& b) { return a.alpha < b.alpha; });
  const double best = result.points[result.best].alpha;
  if (smallest->alpha == largest->alpha) return GridEdge::none;
  if (best == smallest->alpha) return GridEdge::smallest;
  return best == largest->alpha ? GridEdge::largest : GridEdge::none;
}

}  // namespace spicymkl
