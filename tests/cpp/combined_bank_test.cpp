// The combined bank, Σ w_m K_m as one kernel, against plain Eigen.
#include "bank/combined_bank.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

class CombinedBankTest : public testing::TestWithParam<int> {
 protected:
  static constexpr Index n = 19;
  Generator random{5};
  std::vector<Matrix> kernels = random_kernels(random_samples(n, random).X, 6, random);
  std::shared_ptr<const DenseBank> base = bank_of(kernels, GetParam());
  Vector weights{{0.5, 2.0, 0.1}};
  CombinedBank bank{*base, {4, 0, 5}, weights};
  Matrix K = 0.5 * kernels[4] + 2.0 * kernels[0] + 0.1 * kernels[5];
  Vector v = normal_vector(n, random);
  std::vector<Index> only = {0}, none = {};
};

TEST_P(CombinedBankTest, IsOneKernel) {
  EXPECT_EQ(bank.n_kernels(), 1);
  EXPECT_EQ(bank.n_samples(), n);
  EXPECT_EQ(bank.threads(), base->threads());
  EXPECT_FALSE(bank.name(0).empty());
}

TEST_P(CombinedBankTest, ProductsAndQuadraticForms) {
  Matrix product(n, 1);
  bank.products(only, v, product);
  EXPECT_LT((product.col(0) - K * v).norm(), 1e-11);
  Vector form(1);
  bank.quadratic_forms(only, v, form);
  EXPECT_NEAR(form(0), v.dot(K * v), 1e-10);
}

TEST_P(CombinedBankTest, EmptySetsAreAllowed) {
  Matrix product(n, 0);
  bank.products(none, v, product);
  Vector form(0);
  bank.quadratic_forms(none, v, form);
  Vector sum = Vector::Constant(n, 99);
  bank.weighted_product(none, Vector(0), v, sum);
  EXPECT_EQ(sum.norm(), 0);
}

TEST_P(CombinedBankTest, WeightedProduct) {
  Vector out(n);
  bank.weighted_product(only, Vector::Constant(1, 3.0), v, out);
  EXPECT_LT((out - 3 * K * v).norm(), 1e-11);
}

TEST_P(CombinedBankTest, TraceDiagonalAndSum) {
  EXPECT_NEAR(bank.trace(0), K.trace(), 1e-11);
  Vector diagonal(n);
  bank.weighted_diagonal(only, Vector::Constant(1, 3.0), diagonal);
  EXPECT_LT((diagonal - 3 * K.diagonal()).norm(), 1e-11);
  Matrix sum = Matrix::Zero(n, n);
  bank.add_weighted_sum(only, Vector::Constant(1, 3.0), sum);
  EXPECT_LT((Matrix(sum.selfadjointView<Eigen::Lower>()) - 3 * K).norm(), 1e-11);
}

TEST_P(CombinedBankTest, SeveralVectorsAtOnce) {
  const Matrix V = normal_matrix(n, 4, random);
  Matrix product(n, 4), form(1, 4);
  bank.products(only, V, product);
  EXPECT_LT((product - K * V).norm(), 1e-11);
  bank.quadratic_forms(only, V, form);
  for (Index p = 0; p < 4; ++p) EXPECT_NEAR(form(0, p), V.col(p).dot(K * V.col(p)), 1e-10);
}

TEST_P(CombinedBankTest, NewtonSystemAgreesWithADenseSolve) {
  const auto system = bank.make_newton_system();
  const Vector diagonal = Vector::LinSpaced(n, 1, 3);
  Matrix low_rank = normal_matrix(n, 3, random);
  low_rank.col(2) *= 0.05;
  Matrix dense = 1.7 * K;
  dense += diagonal.asDiagonal();
  dense += low_rank.leftCols(2) * low_rank.leftCols(2).transpose() - low_rank.col(2) * low_rank.col(2).transpose();
  ASSERT_TRUE(system->factor({only, Vector::Constant(1, 1.7), diagonal, low_rank, 2}));
  const Matrix rhs = normal_matrix(n, 1, random);
  Matrix x = rhs;
  system->solve(x);
  EXPECT_LT((dense * x - rhs).norm(), 1e-10);
}

TEST_P(CombinedBankTest, NewtonSystemWithoutTheKernelIsTheDiagonal) {
  const auto system = bank.make_newton_system();
  ASSERT_TRUE(system->factor({none, Vector(0), Vector::Constant(n, 4.0), Matrix(n, 0), 0}));
  Matrix x = v;
  system->solve(x);
  EXPECT_LT((x - v / 4).norm(), 1e-13);
  EXPECT_FALSE(system->factor({none, Vector(0), Vector::Constant(n, -1.0), Matrix(n, 0), 0}));
}

TEST_P(CombinedBankTest, CombinationOfNothingIsZero) {
  const CombinedBank empty(*base, {}, Vector(0));
  Vector form = Vector::Constant(1, 99);
  empty.quadratic_forms(only, v, form);
  EXPECT_EQ(form(0), 0);
  EXPECT_EQ(empty.trace(0), 0);
  const auto system = empty.make_newton_system();
  ASSERT_TRUE(system->factor({only, Vector::Ones(1), Vector::Ones(n), Matrix(n, 0), 0}));
}

INSTANTIATE_TEST_SUITE_P(Threads, CombinedBankTest, testing::Values(1, 2, 5));

}  // namespace
