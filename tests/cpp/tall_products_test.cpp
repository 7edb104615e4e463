// Inner products of long columns.
#include "core/tall_products.hpp"

#include <gtest/gtest.h>

namespace {

using namespace spicymkl;

TEST(TallProducts, AreThoseOfWholeColumnsForAnyNumberOfThreads) {
  const std::vector<Index> some = {4, 0, 2};
  for (const Index n : {1, 7, 2048, 2049, 20001}) {
    const Matrix A = Matrix::Random(n, 5), B = Matrix::Random(n, 6);
    const Vector v = Vector::Random(n);
    const double rounding = 1e-14 * static_cast<double>(n);
    const Matrix alone = tall_inner_products(A, some, B, 1);
    EXPECT_EQ(alone, tall_inner_products(A, some, B, 4)) << n;
    EXPECT_LE((alone - A(Eigen::all, some).transpose() * B).cwiseAbs().maxCoeff(), rounding) << n;
    const Vector of_vector = tall_inner_products(A, v, 1);
    EXPECT_EQ(of_vector, tall_inner_products(A, v, 3)) << n;
    EXPECT_LE((of_vector - A.transpose() * v).cwiseAbs().maxCoeff(), rounding) << n;
  }
  EXPECT_EQ(tall_inner_products(Matrix::Random(10, 2), std::vector<Index>(), Matrix::Random(10, 3), 2).rows(), 0);
}

}  // namespace
