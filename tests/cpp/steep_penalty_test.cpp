// Powers of the norm with exponents near 1 and far above 2, whose conjugates have exponents of millions: every answer
// of the regularisers against extended precision, and the equations that define them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "spicymkl/regularizer/regularizer.hpp"

namespace {

using namespace spicymkl;
using Wide = long double;

constexpr double kExponents[] = {1.000001, 1.001, 1.01, 1.5, 2, 10, 50, 100};

struct Case {
  double alpha, l1_ratio, q;  // l1_ratio 1 is blockq
};

class SteepPenaltyTest : public testing::TestWithParam<Case> {
 protected:
  const Case c = GetParam();
  std::unique_ptr<Regularizer> G = make_regularizer(c.l1_ratio == 1 ? "blockq" : "mixed", {c.alpha, c.l1_ratio, c.q});
  std::mt19937_64 random{5};

  double log_uniform(double lower, double upper) {
    return std::exp(std::uniform_real_distribution<double>(std::log(lower), std::log(upper))(random));
  }
  Wide slope(Wide x) const { return c.alpha * (c.l1_ratio * std::pow(x, Wide(c.q) - 1) + (1 - Wide(c.l1_ratio)) * x); }
  Wide value(Wide x) const {
    return c.alpha * (c.l1_ratio * std::pow(x, Wide(c.q)) / c.q + (1 - Wide(c.l1_ratio)) * x * x / 2);
  }
  /// log of the root of linear·x + power·x^(q−1) = v by bisection.
  Wide log_root(Wide linear, Wide power, Wide v) const {
    Wide lower = -11000, upper = 11000;
    for (int k = 0; k < 200; ++k) {
      const Wide t = (lower + upper) / 2;
      const Wide sum = (linear > 0 ? linear * std::exp(t) : 0) + power * std::exp((Wide(c.q) - 1) * t);
      (sum < v ? lower : upper) = t;
    }
    return lower;
  }
  /// A relative error of v by one unit is one of x by 1/(q−1) units, and one of x is one of x^(q−1) by q−1 units.
  double conditioning() const { return 1e-13 * (c.q + 1 / (c.q - 1)); }
};

TEST_P(SteepPenaltyTest, ConjugateAndItsDerivativesAgreeWithExtendedPrecision) {
  for (int k = 0; k < 200; ++k) {
    const double u = c.alpha * (k % 2 == 0 ? log_uniform(1e-6, 1e6) : 1 + (c.q - 1) * log_uniform(1e-3, 30));
    const Wide x = std::exp(log_root(c.alpha * (1 - Wide(c.l1_ratio)), Wide(c.alpha) * c.l1_ratio, u));
    if (!(x > 1e-300L && x < 1e300L)) continue;
    const Wide linear = c.alpha * (1 - Wide(c.l1_ratio)) * x;
    const Wide conjugate = x * (linear / 2 + (u - linear) * (Wide(c.q) - 1) / c.q);
    EXPECT_NEAR(static_cast<double>(G->conjugate_slope(u) / x), 1, conditioning()) << "u " << u;
    if (conjugate < 1e300L && conjugate > 1e-300L)
      EXPECT_NEAR(static_cast<double>(G->conjugate(u) / conjugate), 1, conditioning()) << "u " << u;
    const Wide curvature = x / (linear + (Wide(c.q) - 1) * (u - linear));
    if (curvature < 1e300L && curvature > 1e-300L)
      EXPECT_NEAR(static_cast<double>(G->conjugate_curvature(u) / curvature), 1, conditioning()) << "u " << u;
  }
}

TEST_P(SteepPenaltyTest, ProxAgreesWithExtendedPrecision) {
  for (const double gamma : {1e-6, 1e-2, 1.0, 1e2, 1e6})
    for (int k = 0; k < 200; ++k) {
      const double v = gamma * c.alpha * (k % 2 == 0 ? log_uniform(1e-6, 1e6) : 1 + log_uniform(1e-6, 1));
      const Wide linear = 1 + Wide(gamma) * c.alpha * (1 - Wide(c.l1_ratio));
      const Wide log_x = log_root(linear, Wide(gamma) * c.alpha * c.l1_ratio, v);
      const Wide x = std::exp(log_x);
      const double found = G->prox(v, gamma);
      if (x < 1e-300L) {
        EXPECT_LT(found, 1e-290);
        continue;
      }
      EXPECT_NEAR(static_cast<double>(found / x), 1, conditioning()) << "v " << v << " gamma " << gamma;
      EXPECT_NEAR(static_cast<double>((found + gamma * slope(found)) / v), 1, 1e-12) << "optimality at v " << v;
      const double rate = G->prox_slope(v, gamma);
      EXPECT_TRUE(rate >= 0 && rate <= 1) << rate;
      EXPECT_NEAR(G->envelope(v, gamma), static_cast<double>(x * (v - x / 2) - gamma * value(x)), 1e-12 * v * v);
    }
}

TEST_P(SteepPenaltyTest, ProxSlopeIsADerivative) {
  for (int k = 0; k < 100; ++k) {
    const double v = c.alpha * (1 + log_uniform(0.05, 20)), h = 1e-5 * v;
    const double numerical = (G->prox(v + h, 1) - G->prox(v - h, 1)) / (2 * h);
    EXPECT_NEAR(G->prox_slope(v, 1), numerical, 1e-5) << "v " << v;
  }
}

TEST_P(SteepPenaltyTest, FenchelYoungHoldsAndIsAnEqualityAtTheSlope) {
  for (int k = 0; k < 200; ++k) {
    const double u = c.alpha * (1 + (c.q - 1) * std::uniform_real_distribution<double>(-1, 20)(random));
    const double x = log_uniform(1e-3, 30), conjugate = G->conjugate(u);
    if (!std::isfinite(conjugate)) continue;
    EXPECT_GE(G->value(x) + conjugate - x * u, -1e-12 * (conjugate + x * u));
    const double at = G->conjugate_slope(u);
    EXPECT_NEAR(G->value(at) + conjugate, at * u, conditioning() * at * u) << "u " << u;
  }
}

TEST_P(SteepPenaltyTest, NothingIsEverNaN) {
  for (double t = 1e-300; t < 1e300; t *= 1e5) {
    EXPECT_FALSE(std::isnan(G->value(t))) << t;
    EXPECT_FALSE(std::isnan(G->conjugate(t))) << t;
    EXPECT_FALSE(std::isnan(G->conjugate_slope(t))) << t;
    EXPECT_FALSE(std::isnan(G->conjugate_curvature(t))) << t;
    EXPECT_TRUE(std::isfinite(G->weight(t))) << t;
    for (const double gamma : {1e-100, 1e-10, 1.0, 1e10, 1e100}) {
      EXPECT_TRUE(std::isfinite(G->prox(t, gamma))) << t << " " << gamma;
      EXPECT_TRUE(std::isfinite(G->prox_slope(t, gamma))) << t << " " << gamma;
    }
  }
  EXPECT_EQ(G->conjugate(0), 0);
  EXPECT_EQ(G->conjugate_slope(0), 0);
  EXPECT_TRUE(std::isfinite(G->conjugate_curvature(0)) || c.q > 2);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double q : kExponents)
    for (const double alpha : {1e-4, 0.7, 1e4})
      for (const double l1_ratio : {1.0, 0.9, 0.1}) all.push_back({alpha, l1_ratio, q});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, SteepPenaltyTest, testing::ValuesIn(cases()));

}  // namespace
