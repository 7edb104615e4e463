// The few BLAS and LAPACK calls the library makes, on column-major storage.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl::blas {

/// out = K v for a symmetric K; only the lower triangle (column-major) of K is read.
void symmetric_product(Index n, const double* K, const double* v, double* out);

/// Lower triangle of A += scale · U Uᵀ.
void symmetric_rank_k(double scale, ConstMatrixRef U, MatrixRef A);

/// Lower Cholesky factor in place; false when A is not positive definite.
[[nodiscard]] bool cholesky(MatrixRef A);

/// B ← A⁻¹B, with A given by its lower Cholesky factor.
void cholesky_solve(ConstMatrixRef factor, MatrixRef B);

}  // namespace spicymkl::blas
