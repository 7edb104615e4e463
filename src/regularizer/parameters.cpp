#include "parameters.hpp"

#include <fmt/format.h>

#include <cmath>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

double checked_alpha(double alpha) {
  if (!(alpha > 0 && std::isfinite(alpha)))
    throw InputError(
        fmt::format("alpha is {}, but the regularisation strength must be a finite number above 0", alpha));
  return alpha;
}

double checked_l1_ratio(double l1_ratio) {
  if (!(l1_ratio >= 0 && l1_ratio <= 1))
    throw InputError(fmt::format("l1_ratio is {}, but it must lie in [0, 1]: 1 is block1, 0 is uniform", l1_ratio));
  return l1_ratio;
}

double checked_q(double q) {
  if (q == 1) throw InputError("q is 1, which is the block 1-norm: ask for penalty block1 instead of blockq");
  if (!(q > 1 && std::isfinite(q)))
    throw InputError(fmt::format("q is {}, but the exponent of the block q-norm must be a finite number above 1", q));
  return q;
}

}  // namespace spicymkl
