#include "line_search.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

namespace {

constexpr double kArmijo = 1e-4;
constexpr double kFlat = 0.2;          // a step ends where the slope is at most this part of the initial one
constexpr double kFullFlat = 0.9;      // the longest step, a full Newton step, may end on a steeper rise
constexpr int kMostTrials = 60;        // as many halvings leave nothing of a step
constexpr double kFromEnd = 0.1;       // part of a bracket that a secant keeps off its ends, so that it always shrinks
constexpr double kValueNoise = 1e-14;  // relative rounding error of the objective

bool decreases(const SlopedValue& start, const SlopedValue& trial, double c) {
  return trial.slope <= 0 ||  // convex and still falling: it fell all the way
         trial.value <= start.value + kArmijo * c * start.slope ||
         trial.value <= start.value + kValueNoise * std::abs(start.value);
}

bool finite(const SlopedValue& point) { return std::isfinite(point.value) && std::isfinite(point.slope); }

}  // namespace

double line_search(const std::function<SlopedValue(double c)>& along, const SlopedValue& start, double max_step) {
  const double steepness = -start.slope;
  double lower = 0, upper = max_step;
  double slope_below = start.slope;
  SlopedValue at = along(upper);
  if (finite(at) && at.slope <= kFullFlat * steepness && decreases(start, at, upper)) return upper;
  for (int trial = 0; trial < kMostTrials; ++trial) {  // the slope changes sign between lower and upper
    const double secant = finite(at) && at.slope > 0 ? slope_below / (slope_below - at.slope) : 0.5;
    const double c = lower + std::clamp(secant, kFromEnd, 1 - kFromEnd) * (upper - lower);
    const SlopedValue here = along(c);
    if (finite(here) && std::abs(here.slope) <= kFlat * steepness && decreases(start, here, c)) return c;
    if (finite(here) && here.slope <= 0) {
      lower = c;
      slope_below = here.slope;
    } else {
      upper = c;
      at = here;
    }
  }
  return lower;
}

}  // namespace spicymkl
