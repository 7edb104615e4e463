#include "spicymkl/regularizer/power_root.hpp"

#include <cmath>

#include "spicymkl/core/monotone_root.hpp"

namespace spicymkl {

double power_root(double linear, double power, double q, double v) {
  if (v <= 0) return 0;
  if (power == 0) return v / linear;
  if (linear == 0) return std::pow(v / power, 1 / (q - 1));
  // In the variable whose exponents are 1 and s ≥ 1 the equation is convex and Newton runs down from the right:
  // t = x for q ≥ 2, t = x^(q−1) below.
  const bool steep = q < 2;
  const double s = steep ? 1 / (q - 1) : q - 1;
  const double first = steep ? power : linear;   // coefficient of t
  const double second = steep ? linear : power;  // coefficient of t^s
  const double upper = std::fmin(v / first, std::pow(v / second, 1 / s));
  const auto residual = [&](double t) {
    const double raised = second * std::pow(t, s);
    return SlopedValue{first * t + raised - v, first + s * raised / t};
  };
  const double t = monotone_root(residual, 0.0, upper, upper);
  return steep ? std::pow(t, s) : t;
}

}  // namespace spicymkl
