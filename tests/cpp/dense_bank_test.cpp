// The dense bank against plain Eigen.
#include "spicymkl/bank/stored_bank.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "spicymkl/core/parallel.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

/// Parametrised by the thread count: 1, and more threads than kernels.
class DenseBankTest : public testing::TestWithParam<int> {
 protected:
  static constexpr Index n = 23, m = 7;
  Generator random{3};
  std::vector<Matrix> kernels = random_kernels(random_samples(n, random).X, m, random);
  std::shared_ptr<const DenseBank> bank = bank_of(kernels, GetParam());
  Vector v = normal_vector(n, random);
  std::vector<std::vector<Index>> sets = {{}, {4}, {6, 0, 3}, {2, 2}, all_kernels(m)};
};

TEST_P(DenseBankTest, KnowsItsSizesAndNames) {
  EXPECT_EQ(bank->n_samples(), n);
  EXPECT_EQ(bank->n_kernels(), m);
  EXPECT_EQ(bank->name(3), "k3");
  EXPECT_EQ(bank_of({kernels[0], kernels[1]}, 1, {"age", "income"})->name(1), "income");
  EXPECT_EQ(bank->threads(), GetParam() == 0 ? resolve_threads(0) : GetParam());
  EXPECT_EQ(Matrix(bank->gram(5)), kernels[5]);
}

TEST_P(DenseBankTest, Products) {
  for (const auto& set : sets) {
    Matrix out = Matrix::Constant(n, static_cast<Index>(set.size()), 99);
    bank->products(set, v, out);
    for (std::size_t k = 0; k < set.size(); ++k)
      EXPECT_LT((out.col(static_cast<Index>(k)) - kernels[static_cast<std::size_t>(set[k])] * v).norm(), 1e-11);
  }
}

TEST_P(DenseBankTest, QuadraticForms) {
  for (const auto& set : sets) {
    Vector out = Vector::Constant(static_cast<Index>(set.size()), 99);
    bank->quadratic_forms(set, v, out);
    for (std::size_t k = 0; k < set.size(); ++k) {
      const double expected = v.dot(kernels[static_cast<std::size_t>(set[k])] * v);
      EXPECT_NEAR(out(static_cast<Index>(k)), expected, 1e-12 * (1 + expected));
    }
  }
}

TEST_P(DenseBankTest, QuadraticFormsAreNeverNegative) {
  // v in the null space of a rank-one kernel: rounding alone decides the sign.
  std::vector<Matrix> singular;
  Vector w = normal_vector(n, random);
  for (int k = 0; k < 40; ++k) {
    Vector u = normal_vector(n, random);
    u -= u.dot(w) / w.squaredNorm() * w;
    singular.push_back(u * u.transpose());
  }
  Vector out(40);
  bank_of(singular, GetParam())->quadratic_forms(all_kernels(40), w, out);
  EXPECT_GE(out.minCoeff(), 0);
  EXPECT_LT(out.maxCoeff(), 1e-10);
}

TEST_P(DenseBankTest, WeightedProduct) {
  for (const auto& set : sets) {
    const Vector weights = normal_vector(static_cast<Index>(set.size()), random);
    Vector expected = Vector::Zero(n), out = Vector::Constant(n, 99);
    for (std::size_t k = 0; k < set.size(); ++k)
      expected += weights(static_cast<Index>(k)) * kernels[static_cast<std::size_t>(set[k])] * v;
    bank->weighted_product(set, weights, v, out);
    EXPECT_LT((out - expected).norm(), 1e-11 * (1 + expected.norm()));
  }
}

TEST_P(DenseBankTest, WeightedSumFillsTheLowerTriangle) {
  for (const auto& set : sets) {
    const Vector weights = normal_vector(static_cast<Index>(set.size()), random);
    const Matrix start = normal_matrix(n, n, random);
    Matrix A = start, expected = start;
    for (std::size_t k = 0; k < set.size(); ++k)
      expected += weights(static_cast<Index>(k)) * kernels[static_cast<std::size_t>(set[k])];
    bank->add_weighted_sum(set, weights, A);
    const Matrix difference = (A - expected).triangularView<Eigen::Lower>();
    EXPECT_LT(difference.norm(), 1e-11 * (1 + expected.norm()));
  }
}

TEST_P(DenseBankTest, Traces) {
  for (Index k = 0; k < m; ++k) {
    const Matrix& K = kernels[static_cast<std::size_t>(k)];
    EXPECT_NEAR(bank->trace(k), K.trace(), 1e-12 * K.trace());
  }
}

TEST_P(DenseBankTest, NewtonSystemAgreesWithADenseSolve) {
  const auto system = bank->make_newton_system();
  for (const auto& set : sets)
    for (const Index n_added : {0, 1, 3})
      for (const Index n_subtracted : {0, 2}) {
        const Vector weights = Vector::LinSpaced(static_cast<Index>(set.size()), 0.3, 2);
        const Vector diagonal = normal_vector(n, random).cwiseAbs().array() + 1;
        Matrix low_rank = normal_matrix(n, n_added + n_subtracted, random);
        low_rank.rightCols(n_subtracted) *= 0.05;  // small enough to leave the matrix positive definite
        Matrix dense = diagonal.asDiagonal();
        for (std::size_t k = 0; k < set.size(); ++k)
          dense += weights(static_cast<Index>(k)) * kernels[static_cast<std::size_t>(set[k])];
        dense += low_rank.leftCols(n_added) * low_rank.leftCols(n_added).transpose();
        dense -= low_rank.rightCols(n_subtracted) * low_rank.rightCols(n_subtracted).transpose();
        const Matrix rhs = normal_matrix(n, 2, random);
        Matrix x = rhs;
        ASSERT_TRUE(system->factor({set, weights, diagonal, low_rank, n_added}));
        system->solve(x);
        EXPECT_LT((dense * x - rhs).norm(), 1e-10 * rhs.norm());
        EXPECT_LT((x - dense.ldlt().solve(rhs)).norm(), 1e-10 * x.norm());
      }
}

TEST_P(DenseBankTest, IndefiniteMatrixIsNotFactored) {
  const auto system = bank->make_newton_system();
  const Vector weights = Vector::Ones(1), positive = Vector::Ones(n);
  Vector negative = positive;
  negative(n / 2) = -1e3;
  const std::vector<Index> set = {0};
  EXPECT_FALSE(system->factor({set, weights, negative, Matrix(n, 0), 0}));
  EXPECT_FALSE(system->factor({set, weights, positive, Matrix::Constant(n, 1, 10), 0})) << "a large subtracted column";
  EXPECT_TRUE(system->factor({set, weights, positive, Matrix(n, 0), 0})) << "the system is usable after a refusal";
}

TEST_P(DenseBankTest, SameThreadsGiveTheSameBits) {
  const std::vector<Index> set = all_kernels(m);
  Matrix first(n, m), second(n, m);
  bank->products(set, v, first);
  bank->products(set, v, second);
  EXPECT_EQ(first, second);
}

INSTANTIATE_TEST_SUITE_P(Threads, DenseBankTest, testing::Values(0, 1, 2, 3, 11));

TEST(DenseBankRefusalTest, NoKernelAndWrongNamesAreRefused) {
  expect_refused([] { bank_of({}); }, "no kernel");
  expect_refused([] { bank_of({Matrix::Identity(2, 2)}, 1, {"a", "b"}); }, "2 kernel names");
}

}  // namespace
