// Memory of matrices that are used again.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// numbers.resize(rows, columns). Where new memory is refused, Eigen's own leaves the matrix with a pointer to what it
/// has freed already, which would be freed again; here nothing is left in it.
template <class Numbers>
void renew(Numbers& numbers, Index rows, Index columns) {
  if (numbers.size() != rows * columns) Numbers().swap(numbers);
  numbers.resize(rows, columns);
}

}  // namespace spicymkl
