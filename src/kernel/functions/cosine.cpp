// xᵀz / (‖x‖‖z‖). A row of zeros has no direction and is refused.
#include "base_itself.hpp"
#include "functions.hpp"

namespace spicymkl {

const KernelType& cosine_type() {
  static const KernelType type{"cosine", Base::cosine, ColumnKind::numeric, {}, &BaseItself::make};
  return type;
}

}  // namespace spicymkl
