// Numerical tools of the tests: derivatives by differences, minima by brute force. Slow, simple, independent of the
// library.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

namespace testing_support {

using Function = std::function<double(double)>;

/// Fourth-order central difference: truncation O(h⁴), so that h can be large enough to keep rounding small.
inline double derivative(const Function& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

/// Minimiser of a convex function on [lower, upper] by golden section.
inline double golden_minimiser(const Function& f, double lower, double upper) {
  constexpr double kGolden = 0.6180339887498949;
  double left = upper - kGolden * (upper - lower), right = lower + kGolden * (upper - lower);
  double at_left = f(left), at_right = f(right);
  for (int step = 0; step < 200; ++step) {
    if (at_left <= at_right) {
      upper = right, right = left, at_right = at_left;
      left = upper - kGolden * (upper - lower), at_left = f(left);
    } else {
      lower = left, left = right, at_left = at_right;
      right = lower + kGolden * (upper - lower), at_right = f(right);
    }
  }
  return at_left <= at_right ? left : right;
}

/// Minimum of a convex function on [lower, upper], both ends included.
inline double golden_minimum(const Function& f, double lower, double upper) {
  return std::min({f(golden_minimiser(f, lower, upper)), f(lower), f(upper)});
}

/// Largest of |a − b| relative to max(1, |b|): the measure of most comparisons.
inline double relative_difference(double a, double b) { return std::abs(a - b) / std::max(1.0, std::abs(b)); }

}  // namespace testing_support
