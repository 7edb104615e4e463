// Root of a non-decreasing function of one variable: the scalar solver behind prox, conjugates and the intercept.
#pragma once

#include <cmath>

#include "spicymkl/core/sloped_value.hpp"

namespace spicymkl {

/// The root of a non-decreasing f in [lower, upper], with f(lower) ≤ 0 ≤ f(upper): Newton, with a bisection whenever
/// Newton would leave the bracket or fails to halve the residual. Accurate to the last bits.
template <class Function>
double monotone_root(const Function& f, double lower, double upper, double start) {
  double x = std::fmin(std::fmax(start, lower), upper);
  double last_residual = HUGE_VAL;
  for (int step = 0; step < 200; ++step) {
    const SlopedValue at = f(x);
    if (at.value == 0.0) return x;
    (at.value < 0 ? lower : upper) = x;
    const double newton = x - at.value / at.slope;
    const bool newton_works =
        newton > lower && newton < upper && std::fabs(at.value) <= 0.5 * last_residual && std::isfinite(newton);
    const double next = newton_works ? newton : lower + 0.5 * (upper - lower);
    last_residual = newton_works ? std::fabs(at.value) : HUGE_VAL;
    if (next == x || next == lower || next == upper) return next;
    if (std::fabs(next - x) <= 2e-16 * std::fabs(next)) return next;
    x = next;
  }
  return x;
}

/// The same without a bracket: one is looked for around `start`, twice as far each time.
template <class Function>
double monotone_root_near(const Function& f, double start, double reach) {
  double lower = start - reach, upper = start + reach;
  while (f(lower).value > 0 && reach < 1e300) lower -= (reach *= 2);
  while (f(upper).value < 0 && reach < 1e300) upper += (reach *= 2);
  return monotone_root(f, lower, upper, start);
}

}  // namespace spicymkl
