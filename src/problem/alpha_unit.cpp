#include "spicymkl/problem/alpha_unit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

double alpha_unit(double alpha_max) {
  if (alpha_max == 0)
    throw InputError(
        "there is nothing to learn: a constant predicts every label as well as any kernel does (alpha_max is 0); check "
        "that the target is not the same in all rows and that the kernels are not all zero");
  if (!std::isfinite(alpha_max))
    throw InputError(
        "alpha_max, of which alpha is a part, is beyond the range of double precision; rescale the target or the "
        "kernels, or give alpha as a number");
  return alpha_max;
}

}  // namespace spicymkl
