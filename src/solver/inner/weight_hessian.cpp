#include "weight_hessian.hpp"

#include "core/blas.hpp"
#include "core/stoppable_cholesky.hpp"

namespace spicymkl {

namespace {

constexpr double kKernelRidge = 1e-10;  // part of the mean diagonal entry: kernels of low rank can be factored too

}  // namespace

bool weight_hessian_factor(Matrix A, Matrix& U, bool fit_intercept, const KernelBank& bank) {
  if (U.rows() == 0) return true;
  A.diagonal().array() += kKernelRidge * A.diagonal().mean();
  if (!stoppable_cholesky(A, bank.threads(), bank.watch())) return false;
  Matrix transposed(U.cols() + 1, U.rows());  // with 1ᵀ below
  transposed.topRows(U.cols()) = U.transpose();
  transposed.bottomRows(1).setOnes();
  blas::divide_by_transposed(A, transposed, bank.threads());
  U = transposed.topRows(U.cols()).transpose();
  if (!fit_intercept) return true;
  const Vector ones = transposed.bottomRows(1).transpose().normalized();
  U -= ones * (ones.transpose() * U);
  return true;
}

}  // namespace spicymkl
