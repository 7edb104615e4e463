// How the vectors that a bank is asked about are met: where they are not 0, and how many of them there are.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Outputs from which on tr(VᵀKV) is quicker as ⟨K, VVᵀ⟩: an entry of a kernel then meets one number, however many
/// outputs there are.
inline constexpr Index kWorthOuterProduct = 3;

/// The rows in which any of the columns of V is not 0.
inline std::vector<Index> support_of(ConstMatrixRef V) {
  std::vector<Index> support;
  for (Index i = 0; i < V.rows(); ++i)
    if ((V.row(i).array() != 0).any()) support.push_back(i);
  return support;
}

}  // namespace spicymkl
