// Products of a large symmetric matrix with few vectors, on several threads.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

template <class Number>
using Square = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;

/// out = AV for a symmetric A of doubles or floats, of which the lower triangle is read, once for all columns of V;
/// sums are in double precision. `parts` is workspace.
template <class Number>
void symmetric_product(const Square<Number>& A, const Matrix& V, Matrix& out, std::vector<Matrix>& parts, int threads);

}  // namespace spicymkl
