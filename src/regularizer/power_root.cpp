#include "power_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spicymkl {

// In l = log x the equation reads e^a + e^b = 1 with a = l + log(linear/v) and b = (q−1)l + log(power/v). Neither power
// of x is ever formed, so that no exponent overflows, and a relative error of x is an absolute one of l. The left side
// is convex and increasing in l: Newton runs down to the root from the point where the larger term alone is 1.
double power_root(double linear, double power, double q, double v) {
  if (v <= 0) return 0;
  if (power == 0) return v / linear;
  if (linear == 0) return std::pow(v / power, 1 / (q - 1));
  const double alone = std::log(v) - std::log(linear);       // root of the linear term alone
  const double alone_power = std::log(v) - std::log(power);  // (q−1) times that of the power
  double l = std::min(alone, alone_power / (q - 1));
  for (int step = 0; step < 200; ++step) {
    const double first = std::exp(l - alone), second = std::exp((q - 1) * l - alone_power);
    const double change = (first + second - 1) / (first + (q - 1) * second);
    if (!(change > std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(l)))) break;
    l -= change;
  }
  return std::min(std::exp(l), v / linear);  // never beyond the root of the linear term alone, even by rounding
}

}  // namespace spicymkl
