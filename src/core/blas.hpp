// The few BLAS and LAPACK calls the library makes, on column-major storage. BLAS itself always runs on the calling
// thread: all parallelism is that of parallel_for, so that the two never fight over the cores.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl::blas {

/// out = K v for a symmetric K; only the lower triangle (column-major) of K is read.
void symmetric_product(Index n, const double* K, const double* v, double* out);

/// out = K V for a symmetric K; only the lower triangle of K is read.
void symmetric_product(ConstMatrixRef K, ConstMatrixRef V, MatrixRef out);

/// Lower triangle of A += scale · U Uᵀ.
void symmetric_rank_k(double scale, ConstMatrixRef U, MatrixRef A, int threads);
/// Lower triangle of A += U Uᵀ in single precision, in half the time.
void symmetric_rank_k(const Eigen::MatrixXf& U, Eigen::MatrixXf& A, int threads);
/// Lower triangle of A = U Uᵀ; what it was before may be anything.
void outer_products(ConstMatrixRef U, MatrixRef A, int threads);
void outer_products(const Eigen::MatrixXf& U, Eigen::MatrixXf& A, int threads);

/// Lower Cholesky factor in place; false when A is not positive definite.
[[nodiscard]] bool cholesky(MatrixRef A, int threads);

/// B ← A⁻¹B, with A given by its lower Cholesky factor.
void cholesky_solve(ConstMatrixRef factor, MatrixRef B);

/// The same product for one large matrix, on several threads; `parts` is workspace.
void symmetric_product(const Matrix& A, ConstVectorRef v, VectorRef out, Matrix& parts, int threads);

/// C −= U Vᵀ
void subtract_product(ConstMatrixRef U, ConstMatrixRef V, MatrixRef C, int threads);

/// B ← B L⁻ᵀ
void divide_by_transposed(ConstMatrixRef L, MatrixRef B, int threads);

/// B ← scale · BA for an upper triangular A.
void multiply_by_upper(double scale, ConstMatrixRef A, MatrixRef B);

/// out += scale · Av, or Aᵀv.
void add_product(double scale, ConstMatrixRef A, ConstVectorRef v, VectorRef out, bool transposed, int threads = 1);

/// C += scale · AB
void add_product(double scale, ConstMatrixRef A, ConstMatrixRef B, MatrixRef C);
/// C += scale · AᵀB
void add_transposed_product(double scale, ConstMatrixRef A, ConstMatrixRef B, MatrixRef C);

/// Rows from `first` on of the lower triangle of G = AᵀA; what is above the diagonal of G may change.
void inner_products(ConstMatrixRef A, Index first, MatrixRef G, int threads);

/// v ← L⁻¹v, or L⁻ᵀv.
void solve_lower(ConstMatrixRef L, VectorRef v, bool transposed);

/// Eigenvalues of a symmetric A, in rising order; A becomes the eigenvectors. Only its lower triangle is read.
Vector eigen_decompose(MatrixRef A);

}  // namespace spicymkl::blas
