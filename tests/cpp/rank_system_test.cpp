// Newton systems of the size of the kernels' ranks, against the whole matrix.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "bank/low_rank_bank.hpp"
#include "bank/rank_system.hpp"

namespace {

using namespace spicymkl;

constexpr Index kRows = 60;

class RankSystemTest : public testing::Test {
 protected:
  RankSystemTest() : bank_(factors(), Vector::Zero(4), kRows, std::vector<std::string>(4), 2) {}

  static std::vector<Matrix> factors() {
    std::srand(3);
    std::vector<Matrix> made;
    for (const Index width : {3, 9, 1, 12}) made.push_back(Matrix::Random(kRows, width));
    return made;
  }

  /// The largest error of both solutions, relative to them.
  double error(const std::vector<Index>& kernels, const Vector& weights, const Vector& diagonal, Index n_extra) {
    const Matrix extra = Matrix::Random(kRows, n_extra);
    Matrix whole = diagonal.asDiagonal();
    for (Index k = 0; k < std::ssize(kernels); ++k)
      whole += weights(k) * bank_.factor(kernels[k]) * bank_.factor(kernels[k]).transpose();
    whole += extra * extra.transpose();
    const Matrix rhs = Matrix::Random(kRows, 2), expected = whole.ldlt().solve(rhs);
    Matrix solution = rhs;
    if (!system_.factor(bank_, {kernels, weights, diagonal, extra, n_extra})) return 1;
    system_.solve(solution);
    return (solution - expected).norm() / expected.norm();
  }

  LowRankBank bank_;
  RankSystem system_;
};

TEST_F(RankSystemTest, KernelsComeAndGoWhileTheDiagonalStays) {
  const Vector diagonal = Vector::Constant(kRows, 0.5);
  EXPECT_LT(error({1}, Vector::Constant(1, 2), diagonal, 1), 1e-12);
  EXPECT_LT(error({0, 1, 3}, Vector::LinSpaced(3, 1, 5), diagonal, 3), 1e-12);
  EXPECT_LT(error({3, 2}, Vector::LinSpaced(2, 7, 0.1), diagonal, 0), 1e-12) << "in another order than they came in";
  EXPECT_LT(error({}, Vector(), diagonal, 2), 1e-12);
  EXPECT_LT(error({0, 1, 2, 3}, Vector::LinSpaced(4, 1, 2), diagonal, 1), 1e-12);
}

TEST_F(RankSystemTest, AnotherDiagonalForgetsWhatWasKept) {
  for (const double last : {1.0, 3.0, 0.2})
    EXPECT_LT(error({2, 0, 3}, Vector::LinSpaced(3, 1, 2), Vector::LinSpaced(kRows, 0.3, last), 2), 1e-12);
}

TEST_F(RankSystemTest, KeepsProductsForADiagonalThatIsLikelyToStay) {
  const Vector uneven = Vector::LinSpaced(kRows, 1, 2);
  EXPECT_TRUE(system_.may_keep(Vector::Ones(kRows)));
  EXPECT_FALSE(system_.may_keep(uneven));
  EXPECT_LT(error({0}, Vector::Ones(1), uneven, 0), 1e-12);
  EXPECT_TRUE(system_.may_keep(uneven)) << "sample weights make it uneven, and it stays";
}

TEST_F(RankSystemTest, RefusesWhatWouldLoseItsDigits) {
  EXPECT_EQ(error({1}, Vector::Constant(1, 1e12), Vector::Ones(kRows), 0), 1);
}

}  // namespace
