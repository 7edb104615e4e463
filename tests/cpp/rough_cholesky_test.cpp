// Factors in single precision, against factorisations in double precision.
#include "core/rough_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

class RoughCholeskyTest : public testing::Test {
 protected:
  static constexpr Index n = 450;  // more than one tile
  Generator random{5};
  Matrix kernel = gaussian_kernel(normal_matrix(n, 2, random), 1);
  Matrix U = normal_matrix(n, 3, random);
  Matrix rhs = normal_matrix(n, 2, random);

  /// The relative error of the solution with S = size·kernel beside this diagonal.
  double error(double size, const Vector& diagonal, int threads) {
    Eigen::MatrixXf S = (size * kernel).cast<float>();
    S.triangularView<Eigen::StrictlyUpper>().setConstant(std::nanf(""));
    RoughCholesky rough;
    if (!rough.factor(S, diagonal, U, threads, {})) return HUGE_VAL;
    Matrix X = rhs;
    rough.solve(X, threads);
    const Matrix whole = size * kernel + Matrix(diagonal.asDiagonal()) + U * U.transpose();
    const Matrix expected = whole.llt().solve(rhs);
    return (X - expected).norm() / expected.norm();
  }
};

TEST_F(RoughCholeskyTest, SolvesToSinglePrecision) {
  const Vector diagonal = Vector::LinSpaced(n, 1, 20);
  for (const int threads : {1, 2, 3}) EXPECT_LT(error(10, diagonal, threads), 1e-3) << threads;
}

TEST_F(RoughCholeskyTest, CurvaturesMayBeOfAnySize) {
  Vector diagonal = Vector::LinSpaced(n, 1, 20);
  diagonal(7) = 1e60;  // beyond the range of single precision
  EXPECT_LT(error(10, diagonal, 2), 1e-3);
}

TEST_F(RoughCholeskyTest, SaysWhatItCannotFactor) {
  EXPECT_EQ(error(1e9, Vector::Constant(n, 1e-6), 2), HUGE_VAL) << "singular to single precision";
  EXPECT_EQ(error(1e60, Vector::Ones(n), 2), HUGE_VAL) << "out of range";
  EXPECT_EQ(error(1, Vector::Constant(n, NAN), 2), HUGE_VAL);
}

}  // namespace
