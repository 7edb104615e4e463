// The few BLAS and LAPACK calls the library makes, on column-major storage. BLAS itself always runs on the calling
// thread: all parallelism is that of parallel_for, so that the two never fight over the cores.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl::blas {

// Matrices in single precision take half the time.
using RoughRef = Eigen::Ref<Eigen::MatrixXf>;
using ConstRoughRef = Eigen::Ref<const Eigen::MatrixXf>;

/// out = K v for a symmetric K; only the lower triangle (column-major) of K is read.
void symmetric_product(Index n, const double* K, const double* v, double* out);

/// out = K V for a symmetric K; only the lower triangle of K is read.
void symmetric_product(ConstMatrixRef K, ConstMatrixRef V, MatrixRef out);

/// Lower triangle of A += scale · U Uᵀ.
void symmetric_rank_k(double scale, ConstMatrixRef U, MatrixRef A, int threads);
void symmetric_rank_k(float scale, ConstRoughRef U, RoughRef A, int threads);
/// Lower triangle of A = U Uᵀ; what it was before may be anything.
void outer_products(ConstMatrixRef U, MatrixRef A, int threads);
void outer_products(ConstRoughRef U, RoughRef A, int threads);

/// Lower Cholesky factor in place; false when A is not positive definite.
[[nodiscard]] bool cholesky(MatrixRef A, int threads);
[[nodiscard]] bool cholesky(RoughRef A, int threads);

/// B ← A⁻¹B, with A given by its lower Cholesky factor.
void cholesky_solve(ConstMatrixRef factor, MatrixRef B);
void cholesky_solve(ConstRoughRef factor, RoughRef B);

/// C −= U Vᵀ
void subtract_product(ConstMatrixRef U, ConstMatrixRef V, MatrixRef C, int threads);
void subtract_product(ConstRoughRef U, ConstRoughRef V, RoughRef C, int threads);

/// B ← B L⁻ᵀ
void divide_by_transposed(ConstMatrixRef L, MatrixRef B, int threads);
void divide_by_transposed(ConstRoughRef L, RoughRef B, int threads);

/// B ← scale · BA for an upper triangular A.
void multiply_by_upper(double scale, ConstMatrixRef A, MatrixRef B);

/// B ← LᵀB, where only the lower triangle of L is read
void multiply_by_transposed_lower(ConstMatrixRef L, MatrixRef B);

/// C += scale · AB
void add_product(double scale, ConstMatrixRef A, ConstMatrixRef B, MatrixRef C, int threads = 1);
void add_product(float scale, ConstRoughRef A, ConstRoughRef B, RoughRef C, int threads = 1);
/// C += scale · AᵀB
void add_transposed_product(double scale, ConstMatrixRef A, ConstMatrixRef B, MatrixRef C, int threads = 1);
void add_transposed_product(float scale, ConstRoughRef A, ConstRoughRef B, RoughRef C, int threads = 1);

/// Rows from `first` on of the lower triangle of G = AᵀA; what is above the diagonal of G may change.
void inner_products(ConstMatrixRef A, Index first, MatrixRef G, int threads);

/// V ← L⁻¹V, or L⁻ᵀV.
void solve_lower(ConstMatrixRef L, MatrixRef V, bool transposed);

/// Eigenvalues of a symmetric A, in rising order; A becomes the eigenvectors. Only its lower triangle is read.
Vector eigen_decompose(MatrixRef A);

}  // namespace spicymkl::blas
