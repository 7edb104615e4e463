// Where vectors are not 0.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// The rows in which any of the columns of V is not 0.
inline std::vector<Index> support_of(ConstMatrixRef V) {
  std::vector<Index> support;
  for (Index i = 0; i < V.rows(); ++i)
    if ((V.row(i).array() != 0).any()) support.push_back(i);
  return support;
}

}  // namespace spicymkl
