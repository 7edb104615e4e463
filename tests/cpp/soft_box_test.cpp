// Losses with kinks made smooth: conjugate, derivatives, and how near they are.
#include "loss/soft_box.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bank/feature_bank.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/solver/solve.hpp"
#include "spicymkl/solver/strategy.hpp"

namespace {

using namespace spicymkl;

struct Pair {
  std::string loss;
  LossParameters parameters;
  std::vector<double> labels;
  double farthest = 1;  // from the loss, in widths
};

const std::vector<Pair> kPairs = {{"hinge", {}, {1, -1}},
                                  {"quantile", {.quantile = 0.5}, {-2, 0, 3.5}},
                                  {"quantile", {.quantile = 0.9}, {-2, 0, 3.5}},
                                  {"epsilon_insensitive", {.epsilon = 0}, {-2, 0, 3.5}, 3},
                                  {"epsilon_insensitive", {.epsilon = 0.1}, {-2, 0, 3.5}, 3},
                                  {"epsilon_insensitive", {.epsilon = 1}, {-2, 0, 3.5}, 3}};

TEST(SoftBox, ValueAndConjugateAreConjugateToEachOther) {
  for (const Pair& pair : kPairs)
    for (const double width : {0.01, 0.3, 2.0}) {
      const auto smooth = make_loss(pair.loss, pair.parameters)->smoothed(width);
      ASSERT_NE(smooth, nullptr);
      for (const double y : pair.labels)
        for (double z = -4; z <= 4; z += 0.37) {
          const double rho = smooth->dual_point(y, z);
          // Fenchel and Young: equality at the point that belongs to z, and never less.
          EXPECT_NEAR(smooth->value(y, z) + smooth->conjugate(y, rho), -rho * z, 1e-12 * (1 + std::abs(z)));
          const Interval domain = smooth->dual_domain(y);
          for (double share = 0; share <= 1; share += 0.1) {
            const double other = domain.lower + share * (domain.upper - domain.lower);
            EXPECT_GE(smooth->value(y, z) + smooth->conjugate(y, other) + other * z, -1e-12);
          }
        }
    }
}

TEST(SoftBox, DerivativesAreThoseOfTheConjugate) {
  for (const Pair& pair : kPairs) {
    const auto smooth = make_loss(pair.loss, pair.parameters)->smoothed(0.2);
    for (const double y : pair.labels) {
      const Interval domain = smooth->smooth_domain(y);
      for (const double share : {0.02, 0.3, 0.5, 0.9}) {
        const double rho = domain.lower + share * (domain.upper - domain.lower), h = 1e-5;
        const DualTerm at = smooth->smooth_conjugate(y, rho, 0);
        const DualTerm after = smooth->smooth_conjugate(y, rho + h, 0),
                       before = smooth->smooth_conjugate(y, rho - h, 0);
        EXPECT_NEAR(at.d_rho, (after.value - before.value) / (2 * h), 1e-5);
        EXPECT_NEAR(at.d_rho_rho, (after.d_rho - before.d_rho) / (2 * h), 1e-4 * at.d_rho_rho);
        EXPECT_GE(at.d_rho_rho, smooth->conjugate_convexity() * (1 - 1e-12));
      }
    }
  }
}

TEST(SoftBox, IsWithinItsWidthOfTheLossAndHasTheSameDomain) {
  for (const Pair& pair : kPairs) {
    const auto sharp = make_loss(pair.loss, pair.parameters);
    for (const double width : {0.01, 0.3}) {
      const auto smooth = sharp->smoothed(width);
      for (const double y : pair.labels) {
        EXPECT_EQ(smooth->dual_domain(y).lower, sharp->dual_domain(y).lower);
        EXPECT_EQ(smooth->dual_domain(y).upper, sharp->dual_domain(y).upper);
        for (double z = -50; z <= 50; z += 0.25) {
          EXPECT_GE(smooth->value(y, z), sharp->value(y, z) - 1e-12);
          EXPECT_LE(smooth->value(y, z), sharp->value(y, z) + pair.farthest * width + 1e-12);
        }
      }
    }
  }
}

TEST(SoftBox, OnlyLossesWithKinksHaveOne) {
  for (const char* loss : {"logistic", "squared", "squared_hinge", "huber"})
    EXPECT_EQ(make_loss(loss)->smoothed(0.1), nullptr) << loss;
}

TEST(Smoothing, LeadsToTheSameAnswerAsTheKinks) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  constexpr Index kRows = 700;
  auto samples = std::make_shared<Samples>();
  samples->columns = {"a", "b", "c"};
  samples->values = Matrix::NullaryExpr(kRows, 3, [&] { return normal(random); });
  std::vector<FittedKernel> kernels;
  for (Index column = 0; column < 3; ++column) {
    KernelSpec spec{"gaussian", {{"width", 1}}, {column}, Normalize::trace, 0, "g" + std::to_string(column), ""};
    spec.features = {.kind = FeatureKind::nystrom, .rank = 15};
    kernels.push_back(FittedKernel::fit(spec, *samples, 1));
  }
  const auto bank = std::make_shared<FeatureBank>(samples, kernels, 2);
  const auto dense = make_dense_bank(*samples, kernels, 2);
  const Vector value =
      samples->values.col(0).array().sin() + 0.3 * Vector::NullaryExpr(kRows, [&] { return normal(random); }).array();
  for (const char* loss : {"hinge", "quantile", "epsilon_insensitive"}) {
    SCOPED_TRACE(loss);
    const Vector labels = std::string(loss) == "hinge" ? Vector(value.array().sign()) : value;
    for (const double tol : {1e-2, 1e-5}) {
      const Settings settings{.tol = tol};
      const Problem problem(bank, labels, make_loss(loss), make_regularizer("block1", {.alpha = 1.5}));
      const Problem same = problem.with(dense, problem.shared_regularizer());
      ASSERT_TRUE(choose(problem, settings, false).smoothing);
      ASSERT_FALSE(choose(same, settings, false).smoothing);
      const Result smooth = solve(problem, settings), sharp = solve(same, settings);
      EXPECT_EQ(smooth.status, Status::converged);
      EXPECT_LE(certify(same, smooth.expansion, dual_bound(same, smooth.certificate.dual)).relative_gap, tol);
      EXPECT_NEAR(smooth.certificate.primal, sharp.certificate.primal, 2 * tol * sharp.certificate.primal);
    }
  }
}

}  // namespace
