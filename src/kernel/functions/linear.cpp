// xᵀz
#include "base_itself.hpp"
#include "types.hpp"

namespace spicymkl {

KernelType linear_kernel() {
  return {"linear", "xᵀz", Base::inner_product, ColumnKind::numeric, {}, &BaseItself::make};
}

}  // namespace spicymkl
