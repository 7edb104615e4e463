// Σ min(x, z). It is positive semi-definite on values ≥ 0 only: others are refused.
#include "base_itself.hpp"
#include "functions.hpp"

namespace spicymkl {

const KernelType& histogram_intersection_type() {
  static const KernelType type{
      "histogram_intersection", Base::intersection, ColumnKind::non_negative, {}, &BaseItself::make};
  return type;
}

}  // namespace spicymkl
