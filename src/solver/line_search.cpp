#include "spicymkl/solver/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

namespace {

constexpr double kArmijo = 1e-4;
constexpr double kFlat = 0.9;          // a step may end on a rising slope of at most this part of the initial one
constexpr double kValueNoise = 1e-14;  // relative rounding error of the objective

bool acceptable(const LinePoint& start, const LinePoint& trial, double c) {
  if (!std::isfinite(trial.value) || !std::isfinite(trial.slope)) return false;
  if (trial.slope <= 0) return true;  // convex and still falling: it fell all the way
  if (trial.slope > kFlat * -start.slope) return false;
  return trial.value <= start.value + kArmijo * c * start.slope ||
         trial.value <= start.value + kValueNoise * std::abs(start.value);
}

}  // namespace

double line_search(const std::function<LinePoint(double c)>& along, const LinePoint& start, double max_step) {
  double upper = max_step;
  for (int trial = 0; trial < 60; ++trial) {
    const LinePoint at = along(upper);
    if (acceptable(start, at, upper)) return upper;
    const double secant = std::isfinite(at.slope) ? start.slope / (start.slope - at.slope) : 0.1;
    upper *= std::clamp(secant, 0.1, 0.9);
  }
  return 0;
}

}  // namespace spicymkl
