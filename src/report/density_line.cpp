#include "density_line.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

namespace {

/// Of a bar: a bin fills its place, single values keep apart.
double half_width(const ColumnDensity& density) {
  if (density.bin_width > 0) return density.bin_width / 2;
  double gap = HUGE_VAL;
  for (Index k = 1; k < density.places.size(); ++k) gap = std::min(gap, density.places(k) - density.places(k - 1));
  return std::isfinite(gap) ? 0.3 * gap : 0;
}

}  // namespace

Charts::Json density_line(const ColumnDensity& density) {
  Charts::Json points = Charts::Json::array();
  const double half = half_width(density);
  for (Index k = 0; k < density.places.size(); ++k) {
    const double place = density.places(k);
    points.push_back({place - half, 0});
    points.push_back({place - half, density.counts[k]});
    if (half > 0) points.push_back({place + half, density.counts[k]});
    points.push_back({place + half, 0});
  }
  return points;
}

}  // namespace spicymkl
