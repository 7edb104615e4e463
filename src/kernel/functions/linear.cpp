// xᵀz
#include "base_itself.hpp"
#include "functions.hpp"

namespace spicymkl {

const KernelType& linear_type() {
  static const KernelType type{"linear", Base::inner_product, ColumnKind::numeric, {}, &BaseItself::make};
  return type;
}

}  // namespace spicymkl
