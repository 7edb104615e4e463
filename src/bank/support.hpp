// Where a vector is not 0.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

inline std::vector<Index> support_of(ConstVectorRef v) {
  std::vector<Index> support;
  for (Index i = 0; i < v.size(); ++i)
    if (v(i) != 0) support.push_back(i);
  return support;
}

}  // namespace spicymkl
