// Factorisations so large that they are made in parts, to be stopped between them.
#include "core/stoppable_cholesky.hpp"

#include <gtest/gtest.h>

#include <random>

namespace spicymkl {
namespace {

constexpr Index kLarge = 3300;  // more than is factored in one go, and no multiple of a panel

/// Diagonally dominant, with random entries.
Matrix large_matrix() {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Matrix A = Matrix::NullaryExpr(kLarge, kLarge, [&] { return uniform(random); });
  A = Matrix(A + A.transpose());
  A.diagonal().array() += 2.0 * kLarge;
  return A;
}

TEST(StoppableCholesky, IsAFactorOfALargeMatrix) {
  const Matrix A = large_matrix();
  Matrix L = A;
  ASSERT_TRUE(stoppable_cholesky(L, 2, {}));
  const Matrix lower = L.triangularView<Eigen::Lower>();
  const Vector v = Vector::LinSpaced(kLarge, -1, 1);
  EXPECT_LT((lower * (lower.transpose() * v) - A * v).norm(), 1e-12 * (A * v).norm());
}

TEST(StoppableCholesky, SaysThatALargeMatrixIsIndefinite) {
  Matrix A = large_matrix();
  A(kLarge - 5, kLarge - 5) = -1;  // found in the last panel
  EXPECT_FALSE(stoppable_cholesky(A, 2, {}));
}

TEST(StoppableCholesky, StopsBetweenItsParts) {
  Matrix A = large_matrix();
  int questions = 0;
  EXPECT_THROW(stoppable_cholesky(A, 2, Watch::asking([&] { return ++questions > 3; })), Stopped);
  EXPECT_EQ(questions, 4);
}

}  // namespace
}  // namespace spicymkl
