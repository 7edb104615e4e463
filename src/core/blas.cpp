#include "spicymkl/core/blas.hpp"

#include <cblas.h>

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, double* b,
             const int* ldb, int* info);
}

namespace spicymkl::blas {

void symmetric_product(Index n, const double* K, const double* v, double* out) {
  const int size = static_cast<int>(n);
  cblas_dsymv(CblasColMajor, CblasLower, size, 1.0, K, size, v, 1, 0.0, out, 1);
}

void symmetric_rank_k(double scale, ConstMatrixRef U, MatrixRef A) {
  if (U.cols() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(A.rows()), static_cast<int>(U.cols()), scale,
              U.data(), static_cast<int>(U.outerStride()), 1.0, A.data(), static_cast<int>(A.outerStride()));
}

bool cholesky(MatrixRef A) {
  const int n = static_cast<int>(A.rows());
  const int stride = static_cast<int>(A.outerStride());
  int info = 0;
  dpotrf_("L", &n, A.data(), &stride, &info);
  return info == 0;
}

void cholesky_solve(ConstMatrixRef factor, MatrixRef B) {
  const int n = static_cast<int>(factor.rows());
  const int columns = static_cast<int>(B.cols());
  const int factor_stride = static_cast<int>(factor.outerStride());
  const int stride = static_cast<int>(B.outerStride());
  int info = 0;
  dpotrs_("L", &n, &columns, factor.data(), &factor_stride, B.data(), &stride, &info);
}

}  // namespace spicymkl::blas
