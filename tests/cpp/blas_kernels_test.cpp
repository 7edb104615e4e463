// OpenBLAS works with the vectors that the processor has, though it may not know the processor.
#include "core/blas_kernels.hpp"

#include <cblas.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/blas.hpp"
#include "core/simd.hpp"

namespace spicymkl {
namespace {

TEST(BlasKernels, FitTheProcessor) {
#if defined(SPICYMKL_SIMD_DISPATCH)
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr || simd_level() == SimdLevel::baseline)
    GTEST_SKIP() << "the kernels are chosen by the user, or the processor has no wide vectors";
  const std::string core = openblas_get_corename();
  EXPECT_NE(core, "Prescott");
  EXPECT_NE(core, "Generic");
  choose_blas_kernels();  // nothing is left to choose
  EXPECT_EQ(core, openblas_get_corename());
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
#else
  GTEST_SKIP() << "not an x86-64";
#endif
}

TEST(BlasKernels, Multiply) {
  const Matrix U = Matrix::Random(300, 70);
  Matrix A = Matrix::Zero(300, 300);
  blas::outer_products(U, A, 1);
  const Matrix expected = (U * U.transpose()).triangularView<Eigen::Lower>();
  EXPECT_LT((Matrix(A.triangularView<Eigen::Lower>()) - expected).lpNorm<Eigen::Infinity>(), 1e-12);
}

}  // namespace
}  // namespace spicymkl
