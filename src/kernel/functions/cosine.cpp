// xᵀz / (‖x‖‖z‖). A row of zeros has no direction and is refused.
#include "base_itself.hpp"
#include "types.hpp"

namespace spicymkl {

KernelType cosine_kernel() {
  return {"cosine", "xᵀz / (‖x‖‖z‖), 0 for a row of zeros", Base::cosine, ColumnKind::numeric, {}, &BaseItself::make};
}

}  // namespace spicymkl
