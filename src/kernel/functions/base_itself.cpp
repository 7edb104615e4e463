#include "base_itself.hpp"

#include <algorithm>

namespace spicymkl {

void BaseItself::map(const double* base, double* out, Index n) const {
  if (base != out) std::copy(base, base + n, out);
}

}  // namespace spicymkl
