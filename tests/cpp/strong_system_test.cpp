// Newton systems of wide factors that are never assembled: answers against the matrix itself.
#include "bank/strong_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "bank/low_rank_bank.hpp"

namespace spicymkl {
namespace {

constexpr Index kSamples = 520, kRank = 110, kKernels = 12;
constexpr double kNorm = 0.02;  // of an error, in the norm of the matrix: what is asked of a direction, and rounding

class StrongSystemTest : public testing::Test {
 protected:
  Matrix any(Index rows, Index columns) {
    return Matrix::NullaryExpr(rows, columns, [&] { return normal_(random_); });
  }

  LowRankBank bank_of(std::vector<Matrix> factors, int threads = 2) {
    const Index count = std::ssize(factors);
    return {std::move(factors), Vector::Zero(count), kSamples, std::vector<std::string>(count, "k"), threads};
  }

  /// Kernels without a direction that stands out.
  LowRankBank even() {
    std::vector<Matrix> factors;
    for (Index m = 0; m < kKernels; ++m) factors.push_back(any(kSamples, kRank));
    return bank_of(std::move(factors));
  }

  /// Kernels with directions of all sizes, which they have in common.
  LowRankBank with_common_directions() {
    const Matrix common = any(kSamples, 60);
    const Vector sizes = Vector::LinSpaced(60, 0, 4).unaryExpr([](double x) { return std::pow(10, x); });
    std::vector<Matrix> factors;
    for (Index m = 0; m < kKernels; ++m)
      factors.push_back(common * sizes.asDiagonal() * any(60, kRank) + any(kSamples, kRank));
    return bank_of(std::move(factors));
  }

  static Matrix whole(const LowRankBank& bank, const NewtonTerms& terms) {
    Matrix A = terms.diagonal.asDiagonal();
    for (Index k = 0; k < std::ssize(terms.kernels); ++k)
      A += terms.weights(k) * bank.factor(terms.kernels[k]) * bank.factor(terms.kernels[k]).transpose();
    return A + terms.low_rank * terms.low_rank.transpose();
  }

  /// The largest error of two answers, each relative in the norm of the matrix.
  static double error(const Matrix& A, const Matrix& rhs, const Matrix& answers) {
    const Matrix exact = A.llt().solve(rhs), off = answers - exact;
    double largest = 0;
    for (Index j = 0; j < rhs.cols(); ++j)
      largest = std::max(largest, std::sqrt(off.col(j).dot(A * off.col(j)) / exact.col(j).dot(A * exact.col(j))));
    return largest;
  }

  std::mt19937_64 random_{5};
  std::normal_distribution<double> normal_;
  const std::vector<Index> all = all_kernels(kKernels);
  const Vector weights = Vector::LinSpaced(kKernels, 0.01, 0.02), diagonal = Vector::LinSpaced(kSamples, 0.5, 500);
  const Matrix nothing = Matrix(kSamples, 0);
};

TEST_F(StrongSystemTest, IsForPositiveSumsOfFactors) {
  const LowRankBank bank = even();
  const StrongKernelsSystem system(bank);
  const Matrix two = any(kSamples, 2);
  const Vector none(0);
  EXPECT_TRUE(system.suits({all, weights, diagonal, two, 2}));
  EXPECT_FALSE(system.suits({all, weights, diagonal, two, 1})) << "a column is subtracted";
  EXPECT_FALSE(system.suits({{}, none, diagonal, two, 2})) << "no kernel";
  const LowRankBank square = bank_of({any(kSamples, kSamples)});
  const Vector one = Vector::Ones(1);
  EXPECT_FALSE(StrongKernelsSystem(square).suits({all_kernels(1), one, diagonal, nothing, 0})) << "a whole matrix";
  const std::vector<Matrix> small(3, any(60, 40));
  const LowRankBank few(small, Vector::Zero(3), 60, {"a", "b", "c"}, 1);
  const Vector ones = Vector::Ones(60), three = Vector::Ones(3);
  const Matrix empty(60, 0);
  EXPECT_FALSE(StrongKernelsSystem(few).suits({all_kernels(3), three, ones, empty, 0})) << "few samples";
}

TEST_F(StrongSystemTest, SolvesWithEvenKernelsAndWithAFewThatOutweighTheOthers) {
  const LowRankBank bank = even();
  StrongKernelsSystem system(bank);
  for (const Index n_strong : {0, 2}) {
    for (const Index n_columns : {0, 3}) {
      Vector uneven = weights;
      uneven.head(n_strong) *= 1e4;
      const Matrix columns = any(kSamples, n_columns);
      const NewtonTerms terms{all, uneven, diagonal, columns, n_columns};
      const Matrix rhs = any(kSamples, 2);
      Matrix solution = rhs;
      ASSERT_TRUE(system.factor(terms));
      ASSERT_TRUE(system.solve(solution)) << n_strong << " strong kernels";
      EXPECT_LT(error(whole(bank, terms), rhs, solution), kNorm);
      for (Index j = 0; j < rhs.cols(); ++j) EXPECT_GT(solution.col(j).dot(rhs.col(j)), 0);
    }
  }
}

TEST_F(StrongSystemTest, SaysSoWhereItTakesTooLong) {
  const LowRankBank bank = with_common_directions();
  StrongKernelsSystem system(bank);
  const NewtonTerms terms{all, weights, diagonal, nothing, 0};
  const Matrix rhs = any(kSamples, 2);
  Matrix solution = rhs;
  ASSERT_TRUE(system.factor(terms));
  EXPECT_FALSE(system.solve(solution));
  EXPECT_EQ(solution, rhs);
  const NewtonTerms kept = system.terms();
  EXPECT_EQ(kept.weights, weights);
  EXPECT_EQ(kept.diagonal, diagonal);
}

TEST_F(StrongSystemTest, ABankSolvesBothKindsAndGoesOn) {
  for (const bool common : {false, true}) {
    const LowRankBank bank = common ? with_common_directions() : even();
    const auto system = bank.make_newton_system();
    for (const double scale : {1.0, 3.0}) {
      const Vector scaled = scale * weights;
      const NewtonTerms terms{all, scaled, diagonal, nothing, 0};
      const Matrix rhs = any(kSamples, 2);
      Matrix solution = rhs;
      ASSERT_TRUE(system->factor(terms));
      system->solve(solution);
      EXPECT_LT(error(whole(bank, terms), rhs, solution), kNorm) << common;
      Matrix again = rhs;
      system->solve(again);
      EXPECT_LT(error(whole(bank, terms), rhs, again), kNorm) << common;
    }
  }
}

}  // namespace
}  // namespace spicymkl
