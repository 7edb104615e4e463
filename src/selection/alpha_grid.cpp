#include "spicymkl/selection/alpha_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "spicymkl/core/error.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/problem/alpha_unit.hpp"

namespace spicymkl {

namespace {

/// Largest first, each once.
AlphaGrid make_grid(std::vector<double> values, bool relative) {
  if (values.empty()) throw InputError("there is no alpha to try; give at least one");
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return {std::move(values), relative};
}

}  // namespace

std::vector<double> AlphaGrid::alphas(double alpha_max) const {
  std::vector<double> list = values;
  if (relative)
    for (double& alpha : list) alpha *= alpha_unit(alpha_max);
  return list;
}

std::string AlphaGrid::text(std::size_t point) const {
  return fmt::format("{}{}", values[point], relative ? "max" : "");
}

AlphaGrid log_spaced_alphas(int count, double ratio) {
  constexpr int kMost = 10000;  // closer ones hardly differ, and each is a fit that is kept
  if (count < 1) throw InputError(fmt::format("the number of alphas is {}, but at least 1 is needed", count));
  if (count > kMost)
    throw InputError(fmt::format("the number of alphas is {}, but at most {} are taken", count, kMost));
  if (!(ratio > 0 && ratio < 1))
    throw InputError(fmt::format(
        "the alpha ratio is {}, but the smallest alpha must be a fraction of alpha_max between 0 and 1", ratio));
  std::vector<double> values;
  for (int k = 0; k < count; ++k)
    values.push_back(count == 1 ? 1 : std::pow(ratio, static_cast<double>(k) / (count - 1)));
  return make_grid(std::move(values), true);
}

AlphaGrid parse_alphas(const std::vector<std::string>& texts) {
  std::vector<double> values;
  const bool relative = !texts.empty() && texts.front().ends_with("max");
  for (const std::string& text : texts) {
    if (text.ends_with("max") != relative)
      throw InputError(
          fmt::format("alphas '{}' and '{}': give all as numbers, or all as multiples of alpha_max such as 0.1max",
                      texts.front(), text));
    values.push_back(resolve_alpha(text, 1));
  }
  return make_grid(std::move(values), relative);
}

AlphaGrid absolute_alphas(std::vector<double> alphas) {
  for (const double alpha : alphas)
    if (!(alpha > 0 && std::isfinite(alpha)))
      throw InputError(fmt::format("alpha is {}, but it must be a finite number above 0", alpha));
  return make_grid(std::move(alphas), false);
}

}  // namespace spicymkl
