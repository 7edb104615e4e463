#include "spicymkl/regularizer/custom.hpp"

#include <fmt/format.h>

#include <cmath>

#include "parameters.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

CustomRegularizer::CustomRegularizer(std::string name, double alpha, CustomRegularizerFunctions functions)
    : name_(std::move(name)), alpha_(checked_alpha(alpha)), functions_(std::move(functions)) {
  if (!functions_.value || !functions_.conjugate || !functions_.prox || !functions_.prox_slope)
    throw InputError(fmt::format("regulariser '{}' must supply value, conjugate, prox and prox_slope", name_));
}

double CustomRegularizer::weight(double x) const {
  if (x <= 0) return 0;
  // The prox condition gamma·G′(x) = v − x gives G′ without differencing G: find v with prox(v, gamma) = x. With
  // gamma = x²/G(x) the difference v − x is at least x, because G(x) ≤ x·G′(x), so that nothing cancels.
  const double value = functions_.value(x);
  const double gamma = value > 0 ? x * x / value : 1;
  double lower = x, upper = 2 * x + gamma * functions_.threshold;
  while (functions_.prox(upper, gamma) < x && std::isfinite(upper)) upper *= 2;
  for (int step = 0; step < 200 && upper - lower > 1e-15 * upper; ++step) {
    const double middle = 0.5 * (lower + upper);
    (functions_.prox(middle, gamma) < x ? lower : upper) = middle;
  }
  const double slope = (upper - x) / gamma;
  return slope > 0 ? alpha_ * x / slope : std::numeric_limits<double>::infinity();
}

}  // namespace spicymkl
