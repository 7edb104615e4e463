// Σ min(x, z). It is positive semi-definite on values ≥ 0 only: others are refused.
#include "base_itself.hpp"
#include "types.hpp"

namespace spicymkl {

KernelType histogram_intersection_kernel() {
  return {"histogram_intersection",
          "Σ min(x, z), for columns that are not negative: switch standardisation off",
          Base::intersection,
          ColumnKind::non_negative,
          {},
          &BaseItself::make};
}

}  // namespace spicymkl
