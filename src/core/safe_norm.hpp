// The Euclidean norm of vectors whose squares may leave the range of double precision.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Eigen's stableNorm asserts an alignment that it does not have.
inline double safe_norm(const Vector& v) {
  const double largest = v.lpNorm<Eigen::Infinity>();
  return largest > 0 ? largest * (v / largest).norm() : 0;
}

}  // namespace spicymkl
