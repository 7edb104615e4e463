// The share of columns whose categories agree: the kernel of categorical columns.
#include "base_itself.hpp"
#include "functions.hpp"

namespace spicymkl {

const KernelType& overlap_type() {
  static const KernelType type{"overlap", Base::matches, ColumnKind::categorical, {}, &BaseItself::make};
  return type;
}

}  // namespace spicymkl
