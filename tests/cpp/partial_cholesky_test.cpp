// The partial factorisation and conjugate gradients with it, against a full factorisation.
#include "core/partial_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/blas.hpp"
#include "core/conjugate_gradients.hpp"
#include "core/symmetric_product.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

class PartialCholeskyTest : public testing::Test {
 protected:
  static constexpr Index n = 300;
  Generator random{11};
  Matrix X = normal_matrix(n, 2, random);
  Matrix B = 50 * gaussian_kernel(X, 1.5);
  Vector own = Vector::Constant(n, 4.0);

  Matrix matrix() const { return B + Matrix(own.asDiagonal()); }

  /// Steps that conjugate gradients need, and the error of their answer.
  void expect_solved(int max_steps) {
    const Matrix A = matrix();
    Matrix lower = A.triangularView<Eigen::Lower>();  // the other half must not matter
    lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
    PartialCholesky partial;
    ASSERT_TRUE(partial.factor(lower, own, 2));
    std::vector<Matrix> workspace;
    const Matrix B = normal_matrix(n, 2, random);
    Matrix X;
    ASSERT_TRUE(iterate_conjugate_gradients<Matrix>(
        [&](const Matrix& V, Matrix& out) { symmetric_product(lower, V, out, workspace, 2); },
        [&](Matrix& V) { partial.solve(V, 2); }, 1e-10, max_steps, B, X));
    EXPECT_LT((A * X - B).norm(), 1e-7 * B.norm());
    for (Index k = 0; k < 2; ++k) EXPECT_GT(X.col(k).dot(B.col(k)), 0);
  }
};

TEST_F(PartialCholeskyTest, FewStepsOnASmoothKernel) { expect_solved(60); }

TEST_F(PartialCholeskyTest, RowsWithoutADiagonalOfTheirOwnAreEliminated) {
  own.head(60).setConstant(1e-9);
  B.diagonal().array() += 1e-3;  // keeps the eliminated corner positive definite
  expect_solved(60);
}

TEST_F(PartialCholeskyTest, LargeLowRankPart) {
  const Vector u = normal_vector(n, random);
  B += 1e6 * u * u.transpose() + 1e5 * Matrix::Ones(n, n);
  expect_solved(60);
}

TEST_F(PartialCholeskyTest, EliminatingAllIsExact) {
  own.head(64).setConstant(1e-8);
  own.tail(n - 64).setConstant(1e8);
  B.diagonal().array() += 1;
  PartialCholesky partial;
  ASSERT_TRUE(partial.factor(matrix(), own, 1));
  EXPECT_EQ(partial.rank(), 64);
  Vector x = normal_vector(n, random);
  const Vector b = x;
  partial.solve(x);
  EXPECT_LT((matrix() * x - b).norm(), 1e-4 * b.norm()) << "the rest is diagonal up to 1e-6 or so";
}

TEST_F(PartialCholeskyTest, TooManyFreeRowsAreDeclined) {
  own.head(n / 2).setConstant(1e-9);
  PartialCholesky partial;
  EXPECT_FALSE(partial.factor(matrix(), own, 1));
}

TEST_F(PartialCholeskyTest, NothingToEliminate) {
  own.setConstant(1e6);
  PartialCholesky partial;
  ASSERT_TRUE(partial.factor(matrix(), own, 1));
  EXPECT_EQ(partial.rank(), 0);
  expect_solved(10);
}

TEST_F(PartialCholeskyTest, IndefiniteMatricesAreNotSolved) {
  PartialCholesky partial;
  own.setConstant(1);
  ASSERT_TRUE(partial.factor(Matrix::Identity(n, n), own, 1));
  const Vector b = normal_vector(n, random);
  Vector x;
  EXPECT_FALSE(iterate_conjugate_gradients<Vector>([](const Vector& v, Vector& out) { out = -v; },
                                                   [&](Vector& v) { partial.solve(v); }, 1e-8, 10, b, x));
}

TEST_F(PartialCholeskyTest, SymmetricProductOnAnyNumberOfThreads) {
  const Eigen::MatrixXf rough = B.cast<float>();
  std::vector<Matrix> workspace;
  Matrix out;
  for (const Index columns : {1, 2, 5, 14}) {
    const Matrix V = normal_matrix(n, columns, random);
    for (const int threads : {1, 2, 3, 7}) {
      symmetric_product(B, V, out, workspace, threads);
      EXPECT_LT((out - B * V).norm(), 1e-12 * (B * V).norm()) << threads;
      symmetric_product(rough, V, out, workspace, threads);
      EXPECT_LT((out - rough.cast<double>() * V).norm(), 1e-12 * (B * V).norm()) << threads;
    }
  }
}

}  // namespace
