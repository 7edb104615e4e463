// Newton systems whose matrix is assembled now and then: every direction solves the system of its own step.
#include "bank/lagged_system.hpp"

#include <gtest/gtest.h>

#include <random>

#include "bank/low_rank_bank.hpp"
#include "spicymkl/bank/forwarding_bank.hpp"

namespace spicymkl {
namespace {

constexpr Index kSamples = 1010, kRank = 240, kKernels = 5;

class LaggedSystemTest : public testing::Test {
 protected:
  Matrix any(Index rows, Index columns) {
    return Matrix::NullaryExpr(rows, columns, [&] { return normal_(random_); });
  }

  /// The residual of the system's answer, relative; asked of two right-hand sides at once.
  double residual(NewtonSystem& system, const NewtonTerms& terms) {
    Matrix whole = terms.diagonal.asDiagonal();
    for (Index k = 0; k < std::ssize(terms.kernels); ++k) {
      const Matrix& Z = bank.factor(terms.kernels[k]);
      whole += terms.weights(k) * (Z * Z.transpose());
    }
    const Index n_subtracted = terms.low_rank.cols() - terms.n_added;
    whole += terms.low_rank.leftCols(terms.n_added) * terms.low_rank.leftCols(terms.n_added).transpose();
    whole -= terms.low_rank.rightCols(n_subtracted) * terms.low_rank.rightCols(n_subtracted).transpose();
    const Matrix rhs = any(kSamples, 2);
    Matrix solution = rhs;
    if (!system.factor(terms)) return HUGE_VAL;
    system.solve(solution);
    return (whole * solution - rhs).norm() / rhs.norm();
  }

  std::mt19937_64 random_{3};
  std::normal_distribution<double> normal_;
  const std::vector<Index> all = all_kernels(kKernels);
  LowRankBank bank = [&] {
    std::vector<Matrix> factors;
    for (Index m = 0; m < kKernels; ++m) factors.push_back(any(kSamples, kRank));
    return LowRankBank(std::move(factors), Vector::Zero(kKernels), kSamples, std::vector<std::string>(kKernels, "k"),
                       1);
  }();
  const Vector weights = Vector::LinSpaced(kKernels, 0.5, 2), diagonal = Vector::LinSpaced(kSamples, 4, 40);
  const Matrix nothing = Matrix(kSamples, 0);
};

TEST_F(LaggedSystemTest, IsForFactorsOfManySamples) {
  const auto suits = [&](Index n_samples, double matrices) {
    const double bytes = matrices * static_cast<double>(n_samples * n_samples) * sizeof(double);
    std::vector<Matrix> factors(100, any(n_samples, 2));
    return LaggedNewtonSystem::suits(LowRankBank(std::move(factors), Vector::Zero(100), n_samples,
                                                 std::vector<std::string>(100, "k"), 1, {}, bytes));
  };
  EXPECT_TRUE(suits(kSamples, 50));
  EXPECT_FALSE(suits(kSamples, 200)) << "as matrices, sums of kernels are quick";
  EXPECT_FALSE(suits(50, 50));
}

TEST_F(LaggedSystemTest, FollowsSmallAndLargeChanges) {
  LaggedNewtonSystem system(bank);
  EXPECT_LT(residual(system, {all, weights, diagonal, nothing, 0}), 1e-3);
  const auto first = system.hand_on();
  const Vector near = 1.3 * weights;
  EXPECT_LT(residual(system, {all, near, diagonal, any(kSamples, 2), 2}), 1e-3);
  EXPECT_EQ(system.hand_on(), first) << "assembled for a small change";
  Vector far = 1e5 * weights;
  far(2) = 1e-3;
  EXPECT_LT(residual(system, {all, far, 1e-2 * diagonal, nothing, 0}), 1e-2);
  EXPECT_NE(system.hand_on(), first) << "conjugate gradients cannot have followed so far";
}

TEST_F(LaggedSystemTest, RoughSumsAreSumsToSinglePrecision) {
  const std::vector<Index> some = {0, 3, 4};
  Matrix expected = Matrix::Zero(kSamples, kSamples);
  for (Index k = 0; k < std::ssize(some); ++k)
    expected += weights(k) * bank.factor(some[k]) * bank.factor(some[k]).transpose();
  const auto error = [&](const KernelBank& one) {
    RoughMatrix sum = RoughMatrix::Identity(kSamples, kSamples);
    one.sums()->add_rough_sum(some, weights.head(3), sum);
    sum.diagonal().array() -= 1;
    return (sum.cast<double>() - expected).triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff() /
           expected.cwiseAbs().maxCoeff();
  };
  EXPECT_LT(error(bank), 1e-5);
  EXPECT_LT(error(bank), 1e-5) << "by the matrices of the first time";
  std::vector<Matrix> factors;
  for (const Index m : all) factors.push_back(bank.factor(m));
  const auto with_room = [&](double matrices) {  // in single precision, packed
    return LowRankBank(factors, Vector::Zero(kKernels), kSamples, std::vector<std::string>(kKernels, "k"), 2, {},
                       2 * matrices * sizeof(float) * static_cast<double>(kSamples * (kSamples + 1) / 2));
  };
  EXPECT_LT(error(with_room(0)), 1e-5);
  EXPECT_LT(error(with_room(2)), 1e-5);
  EXPECT_LT(error(ForwardingBank(bank, {0, 1, 2, 3, 4})), 1e-5);
}

TEST_F(LaggedSystemTest, RoughProductsAreProductsToSinglePrecision) {
  const std::vector<Index> some = {0, 3, 4};
  const Matrix V = any(kSamples, 3);
  Matrix expected(kSamples, 3), got(kSamples, 3);
  bank.weighted_product(some, weights.head(3), V, expected);
  for (int round = 0; round < 2; ++round) {  // by the factors of the first time
    bank.rough_product(some, weights.head(3), V, got);
    EXPECT_LT((got - expected).norm(), 1e-5 * expected.norm());
    EXPECT_GT((got - expected).norm(), 0) << "in double precision";
  }
  std::vector<Matrix> factors;
  for (const Index m : all) factors.push_back(bank.factor(m));
  const LowRankBank no_room(factors, Vector::Zero(kKernels), kSamples, std::vector<std::string>(kKernels, "k"), 1, {},
                            sizeof(float) * static_cast<double>(2 * kSamples * kRank));
  no_room.rough_product(some, weights.head(3), V, got);
  EXPECT_EQ(got, expected) << "without room, the factors themselves";
}

TEST_F(LaggedSystemTest, SumsAreQuickWhereMatricesAreKept) {
  const auto quick = [&](Index n_samples, Index rank, Index n_kernels) {
    std::vector<Matrix> factors(static_cast<std::size_t>(n_kernels), Matrix::Zero(n_samples, rank));
    return LowRankBank(std::move(factors), Vector::Zero(n_kernels), n_samples,
                       std::vector<std::string>(static_cast<std::size_t>(n_kernels), "k"), 1)
        .has_quick_rough_sums();
  };
  EXPECT_TRUE(quick(160, 20, 10)) << "wide factors are kept as matrices";
  EXPECT_TRUE(quick(160, 2, 4)) << "few narrow columns are added at once";
  EXPECT_FALSE(quick(160, 8, 10)) << "many narrow factors are added anew every time";
}

TEST_F(LaggedSystemTest, ASystemGoesOnWhereAnotherEnded) {
  LaggedNewtonSystem one(bank), other(bank);
  EXPECT_LT(residual(one, {all, weights, diagonal, nothing, 0}), 1e-3);
  other.take_over(one.hand_on());
  const std::vector<Index> some = {0, 1, 3, 4};
  EXPECT_LT(residual(other, {some, weights.head(4), diagonal, nothing, 0}), 1e-2);
  const auto small = std::make_shared<RoughCholesky>();
  ASSERT_TRUE(small->factor(RoughMatrix::Identity(3, 3), Vector::Ones(3), Matrix(3, 0), 1, {}));
  other.take_over(small);  // of other samples: ignored
  EXPECT_LT(residual(other, {all, weights, diagonal, nothing, 0}), 1e-3);
}

TEST_F(LaggedSystemTest, TakesWhatIsSubtractedAndNoKernels) {
  LaggedNewtonSystem system(bank);
  EXPECT_LT(residual(system, {all, weights, diagonal, nothing, 0}), 1e-3);
  EXPECT_LT(residual(system, {all, weights, diagonal, 1e-2 * any(kSamples, 3), 1}), 1e-10);
  EXPECT_LT(residual(system, {{}, Vector(), diagonal, nothing, 0}), 1e-14);
  Vector wrong = diagonal;
  wrong(7) = NAN;
  EXPECT_FALSE(system.factor({all, weights, wrong, nothing, 0}));
  EXPECT_LT(residual(system, {all, weights, diagonal, nothing, 0}), 1e-3);
}

TEST_F(LaggedSystemTest, MatricesThatSinglePrecisionCannotFactorAreSolvedAllTheSame) {
  LaggedNewtonSystem system(bank);
  const std::vector<Index> some = {0, 1};
  EXPECT_LT(residual(system, {some, 1e8 * weights.head(2), 1e-3 * diagonal, nothing, 0}), 1e-2);
}

}  // namespace
}  // namespace spicymkl
