// Inner products of columns that are long and few.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// A(:, columns)ᵀB, the same bits for any number of threads.
Matrix tall_inner_products(const Matrix& A, const std::vector<Index>& columns, ConstMatrixRef B, int threads);

/// Aᵀv, likewise.
Vector tall_inner_products(const Matrix& A, const Vector& v, int threads);

}  // namespace spicymkl
