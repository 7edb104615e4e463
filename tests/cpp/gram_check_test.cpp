// Matrices that are no Gram matrices are refused by name; awkward ones that are Gram matrices pass.
#include "spicymkl/bank/gram_check.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

class GramCheckTest : public testing::Test {
 protected:
  static constexpr Index n = 40;
  Generator random{17};
  std::vector<Matrix> good = random_kernels(random_samples(n, random).X, 3, random);

  /// The bad matrix stands between good ones; the message must name it and say why.
  void expect_bad(const Matrix& K, const std::string& why) {
    for (const int threads : {1, 3}) {
      const auto bank = bank_of({good[0], K, good[1]}, threads, {"first", "culprit", "last"});
      expect_refused([&] { check_gram_matrices(*bank); }, "culprit");
      expect_refused([&] { check_gram_matrices(*bank); }, why);
    }
  }

  void expect_good(const Matrix& K) { EXPECT_NO_THROW(check_gram_matrices(*bank_of({good[0], K, good[1]}))); }
};

TEST_F(GramCheckTest, NotANumberIsRefusedWithItsPlace) {
  Matrix K = good[2];
  K(5, 7) = std::nan("");
  expect_bad(K, "row 7, column 5");
}

TEST_F(GramCheckTest, InfinityIsRefused) {
  for (const double bad : {kInfinity, -kInfinity}) {
    Matrix K = good[2];
    K(n - 1, n - 1) = bad;
    expect_bad(K, "inf");
  }
}

TEST_F(GramCheckTest, BadEntryInEitherTriangleIsFound) {
  for (const auto& [i, j] : {std::pair<Index, Index>{3, 20}, {20, 3}}) {
    Matrix K = good[2];
    K(i, j) = std::nan("");
    expect_bad(K, "nan");
  }
}

TEST_F(GramCheckTest, AsymmetryIsRefused) {
  Matrix K = good[2];
  K(5, 7) += 1e-3 * K(5, 5);
  expect_bad(K, "not symmetric");
  expect_bad(normal_matrix(n, n, random), "not symmetric");
}

TEST_F(GramCheckTest, RoundingAsymmetryIsAccepted) {
  Matrix K = good[0];
  K(5, 7) *= 1 + 1e-12;
  expect_good(K);
}

TEST_F(GramCheckTest, NegativeDiagonalIsRefused) {
  Matrix K = good[0];
  K(8, 8) = -0.5;
  expect_bad(K, "diagonal entry 8");
}

TEST_F(GramCheckTest, EntryLargerThanItsDiagonalAllowsIsRefused) {
  Matrix K = good[0];
  K(3, 9) = K(9, 3) = 1.5;
  expect_bad(K, "not positive semi-definite");
}

TEST_F(GramCheckTest, ZeroDiagonalWithAnEntryBesideItIsRefused) {
  Matrix K = Matrix::Zero(n, n);
  K(3, 9) = K(9, 3) = 1;
  expect_bad(K, "not positive semi-definite");
}

TEST_F(GramCheckTest, HiddenNegativeEigenvalueIsRefused) {
  // Every diagonal entry and 2×2 minor is fine: −ones off the diagonal, 3 on it, has the eigenvalue 3 − (n−1).
  Matrix K = Matrix::Constant(n, n, -1);
  K.diagonal().setConstant(3);
  expect_bad(K, "eigenvalue");
  // A random spectrum with one clearly negative eigenvalue among positive ones.
  const Matrix Q = normal_matrix(n, n, random).householderQr().householderQ();
  Vector spectrum = Vector::LinSpaced(n, 0.5, 1);
  spectrum(0) = -1;
  Matrix hidden = Q * spectrum.asDiagonal() * Q.transpose();
  hidden = (hidden + hidden.transpose()).eval() / 2;
  expect_bad(hidden, "eigenvalue");
}

TEST_F(GramCheckTest, NegatedKernelIsRefused) { expect_bad(-good[0], "not positive semi-definite"); }

TEST_F(GramCheckTest, SingularMatricesAreAccepted) {
  const Vector v = normal_vector(n, random);
  expect_good(Matrix::Zero(n, n));
  expect_good(v * v.transpose());
  expect_good(Matrix::Ones(n, n));
  expect_good(Matrix::Identity(n, n));
  const Matrix factor = normal_matrix(n, 3, random);
  const Matrix low_rank = factor * factor.transpose();
  expect_good((low_rank + low_rank.transpose()) / 2);
}

TEST_F(GramCheckTest, BadlyScaledMatricesAreAccepted) {
  for (const double scale : {1e-200, 1e-100, 1e-12, 1e12, 1e100, 1e150}) expect_good(scale * good[0]);
  // Samples of very different size: a congruence with a wild diagonal.
  const Vector sizes = Vector::NullaryExpr(n, [&](Index i) { return std::pow(10.0, static_cast<double>(i % 13) - 6); });
  const Matrix K = sizes.asDiagonal() * good[0] * sizes.asDiagonal();
  expect_good((K + K.transpose()) / 2);
}

TEST_F(GramCheckTest, SinglePrecisionKernelsAreAccepted) {
  for (const Matrix& K : good) expect_good(K.cast<float>().cast<double>());
}

TEST_F(GramCheckTest, SmallestSizes) {
  EXPECT_NO_THROW(check_gram_matrices(*bank_of({Matrix::Constant(1, 1, 2.0)})));
  EXPECT_NO_THROW(check_gram_matrices(*bank_of({Matrix::Identity(2, 2)})));
  expect_refused([] { check_gram_matrices(*bank_of({Matrix::Constant(1, 1, -2.0)})); }, "k0");
}

}  // namespace
