// The share of columns whose categories agree: the kernel of categorical columns.
#include "base_itself.hpp"
#include "types.hpp"

namespace spicymkl {

KernelType overlap_kernel() {
  return {"overlap",
          "the share of categorical columns in which x and z are alike",
          Base::matches,
          ColumnKind::categorical,
          {},
          &BaseItself::make};
}

}  // namespace spicymkl
