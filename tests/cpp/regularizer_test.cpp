// Every regulariser against the definitions of conjugate, proximal operator, Moreau envelope and weight (Section 4).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/catalogue.hpp"
#include "support/numeric.hpp"
#include "support/referee.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

std::vector<RegularizerCase> regularizer_cases() {
  std::vector<RegularizerCase> cases = each_regularizer();
  for (const double l1_ratio : {0.0, 0.3, 0.95, 1.0}) cases.push_back({"elasticnet", 0.7, l1_ratio});
  for (const double q : {1.05, 1.3, 1.5, 2.0, 3.0, 6.0}) cases.push_back({"blockq", 0.7, 0.5, q});
  for (const double q : {1.3, 1.5, 3.0})
    for (const double l1_ratio : {0.0, 0.4, 1.0}) cases.push_back({"mixed", 0.7, l1_ratio, q});
  return cases;
}

constexpr double kGammas[] = {0.01, 1.0, 30.0};

class RegularizerTest : public testing::TestWithParam<RegularizerCase> {
 protected:
  std::shared_ptr<const Regularizer> G = GetParam().make();
  std::mt19937_64 random{11};

  double log_uniform(double lower, double upper) {
    return std::exp(std::uniform_real_distribution<double>(std::log(lower), std::log(upper))(random));
  }

  /// sup over x ≥ 0 of ux − G(x), by brute force; u is below the dual bound.
  double brute_conjugate(double u) const {
    const auto negative = [&](double x) { return G->value(x) - u * x; };
    double reach = 1;
    while (negative(2 * reach) < negative(reach)) reach *= 2;
    return -golden_minimum(negative, 0, 2 * reach);
  }

  /// u between 0 and a little under the dual bound (or 2·alpha where there is none).
  double random_dual_norm() {
    const double bound = G->dual_bound();
    return std::isfinite(bound) ? bound * std::uniform_real_distribution<double>(0, 1)(random)
                                : 2 * GetParam().alpha * std::uniform_real_distribution<double>(0, 1)(random);
  }

  /// Away from the kink of prox at v = gamma·threshold.
  double smooth_prox_argument(double gamma) {
    const double kink = gamma * G->threshold();
    double v = log_uniform(1e-2, 1e2);
    while (std::abs(v - kink) < 0.05 * v) v = log_uniform(1e-2, 1e2);
    return v;
  }
};

TEST_P(RegularizerTest, IsFoundByItsNameAndKeepsItsStrength) {
  EXPECT_EQ(G->name(), GetParam().name);
  EXPECT_EQ(G->alpha(), GetParam().alpha);
}

TEST_P(RegularizerTest, ValueAgreesWithTheReferee) {
  for (int k = 0; k < 100; ++k) {
    const double x = log_uniform(1e-4, 1e3);
    EXPECT_NEAR(G->value(x), referee_penalty(GetParam(), x), 1e-13 * referee_penalty(GetParam(), x));
  }
}

TEST_P(RegularizerTest, IsConvexIncreasingAndZeroAtZero) {
  EXPECT_EQ(G->value(0), 0);
  for (int k = 0; k < 300; ++k) {
    const double a = log_uniform(1e-3, 1e2), b = log_uniform(1e-3, 1e2), t = 0.3;
    EXPECT_LE(G->value(t * a + (1 - t) * b), (t * G->value(a) + (1 - t) * G->value(b)) * (1 + 1e-13));
    EXPECT_GT(G->value(2 * a), G->value(a));
  }
}

TEST_P(RegularizerTest, ConjugateIsTheSupremum) {
  for (int k = 0; k < 100; ++k) {
    const double u = random_dual_norm();
    const double supremum = brute_conjugate(u);
    EXPECT_NEAR(G->conjugate(u), supremum, 1e-11 * (1 + supremum)) << "u " << u;
    EXPECT_NEAR(G->conjugate(u), referee_penalty_conjugate(GetParam(), u), 1e-11 * (1 + supremum)) << "u " << u;
  }
}

TEST_P(RegularizerTest, ConjugateIsInfiniteBeyondTheBoundAndFiniteOnIt) {
  if (!std::isfinite(G->dual_bound())) {
    EXPECT_TRUE(std::isfinite(G->conjugate(20.0)));
    return;
  }
  EXPECT_TRUE(std::isfinite(G->conjugate(G->dual_bound())));
  EXPECT_EQ(G->conjugate(G->dual_bound() * (1 + 1e-12)), kInfinity);
}

TEST_P(RegularizerTest, FenchelYoungHolds) {
  for (int k = 0; k < 300; ++k) {
    const double u = random_dual_norm(), x = log_uniform(1e-3, 1e2);
    EXPECT_GE(G->value(x) + G->conjugate(u) - x * u, -1e-11 * (1 + G->conjugate(u) + x * u));
  }
}

TEST_P(RegularizerTest, FenchelYoungIsAnEqualityAtTheConjugateSlope) {
  if (!G->has_smooth_dual()) GTEST_SKIP() << "its dual is not smooth";
  for (int k = 0; k < 100; ++k) {
    const double u = random_dual_norm(), x = G->conjugate_slope(u);
    EXPECT_NEAR(G->value(x) + G->conjugate(u), x * u, 1e-12 * (1 + x * u)) << "u " << u;
  }
}

TEST_P(RegularizerTest, ConjugateSlopeAndCurvatureAreDerivatives) {
  if (!G->has_smooth_dual()) GTEST_SKIP() << "its dual is not smooth";
  for (int k = 0; k < 100; ++k) {
    const double u = random_dual_norm(), h = 1e-4 * u;
    if (std::abs(u - G->threshold()) < 10 * h || u < 1e-3) continue;
    const double slope = G->conjugate_slope(u), curvature = G->conjugate_curvature(u);
    EXPECT_NEAR(slope, derivative([&](double t) { return G->conjugate(t); }, u, h), 1e-8 * (1 + slope)) << "u " << u;
    EXPECT_NEAR(curvature, derivative([&](double t) { return G->conjugate_slope(t); }, u, h), 1e-8 * (1 + curvature))
        << "u " << u;
  }
}

TEST_P(RegularizerTest, ProxMeetsItsOptimalityCondition) {
  for (const double gamma : kGammas)
    for (int k = 0; k < 200; ++k) {
      const double v = log_uniform(1e-4, 1e4), x = G->prox(v, gamma);
      if (x > 0) EXPECT_NEAR(x + gamma * referee_penalty_slope(GetParam(), x), v, 1e-12 * v) << "gamma " << gamma;
      // q near 1: the root itself may underflow, v^(1/(q−1)); that is no threshold.
      else
        EXPECT_TRUE(v <= gamma * G->threshold() || std::pow(v / gamma, 1 / (GetParam().q - 1)) < 1e-300) << "v " << v;
    }
}

TEST_P(RegularizerTest, ProxIsTheMinimiserByBruteForce) {
  for (const double gamma : kGammas)
    for (int k = 0; k < 50; ++k) {
      const double v = log_uniform(1e-2, 1e2);
      const auto objective = [&](double x) { return gamma * G->value(x) + 0.5 * (x - v) * (x - v); };
      const double brute = golden_minimum(objective, 0, v);
      EXPECT_NEAR(objective(G->prox(v, gamma)), brute, 1e-13 * (1 + v * v));
      EXPECT_NEAR(G->prox(v, gamma), golden_minimiser(objective, 0, v), 1e-6 * (1 + v));
    }
}

TEST_P(RegularizerTest, ProxOfZeroIsZero) {
  for (const double gamma : kGammas) EXPECT_EQ(G->prox(0, gamma), 0);
}

TEST_P(RegularizerTest, ProxSlopeIsTheDerivativeOfProx) {
  for (const double gamma : kGammas)
    for (int k = 0; k < 100; ++k) {
      const double v = smooth_prox_argument(gamma);
      const double numerical = derivative([&](double t) { return G->prox(t, gamma); }, v, 1e-4 * v);
      EXPECT_NEAR(G->prox_slope(v, gamma), numerical, 1e-8) << "v " << v << " gamma " << gamma;
      EXPECT_GE(G->prox_slope(v, gamma), 0);
      EXPECT_LE(G->prox_slope(v, gamma), 1);
    }
}

TEST_P(RegularizerTest, MoreauIdentityHolds) {
  for (const double gamma : kGammas)
    for (int k = 0; k < 100; ++k) {
      const double v = log_uniform(1e-2, 1e2), x = G->prox(v, gamma);
      const double minimum = gamma * G->value(x) + 0.5 * (x - v) * (x - v);
      EXPECT_NEAR(G->envelope(v, gamma) + minimum, 0.5 * v * v, 1e-13 * v * v) << "v " << v << " gamma " << gamma;
      EXPECT_GE(G->envelope(v, gamma), 0);
    }
}

TEST_P(RegularizerTest, EnvelopeHasProxAsItsDerivative) {
  for (const double gamma : kGammas)
    for (int k = 0; k < 100; ++k) {
      const double v = smooth_prox_argument(gamma);
      const double numerical = derivative([&](double t) { return G->envelope(t, gamma); }, v, 1e-3 * v);
      EXPECT_NEAR(G->prox(v, gamma), numerical, 1e-9 * (1 + v)) << "v " << v << " gamma " << gamma;
    }
}

TEST_P(RegularizerTest, WeightIsAlphaTimesNormOverSlope) {
  for (int k = 0; k < 100; ++k) {
    const double x = log_uniform(1e-3, 1e3);
    const double expected = GetParam().alpha * x / referee_penalty_slope(GetParam(), x);
    EXPECT_NEAR(G->weight(x), expected, 1e-12 * expected) << "x " << x;
  }
}

TEST_P(RegularizerTest, ThresholdIsTheSlopeAtZeroAndTheStartOfTheConjugate) {
  if (G->threshold() == 0) {
    EXPECT_GT(G->prox(1.0, 1.0), 0) << "no threshold: every positive norm stays positive";
    return;
  }
  EXPECT_NEAR(G->threshold(), G->value(1e-9) / 1e-9, 1e-8);
  EXPECT_EQ(G->conjugate(G->threshold()), 0);
  EXPECT_GT(G->conjugate(1.001 * G->threshold()), 0);
  EXPECT_EQ(G->prox(2 * G->threshold(), 2), 0);
  EXPECT_GT(G->prox(2.001 * G->threshold(), 2), 0);
}

TEST_P(RegularizerTest, DualBoundIsInfiniteUnlessThePenaltyIsLinear) {
  const bool linear = GetParam().name == "block1" || (GetParam().name == "elasticnet" && GetParam().l1_ratio == 1);
  EXPECT_EQ(G->dual_bound(), linear ? GetParam().alpha : kInfinity);
}

TEST_P(RegularizerTest, TinyAndHugeArgumentsStayFinite) {
  for (double t = 1e-12; t < 2e12; t *= 10) {
    EXPECT_TRUE(std::isfinite(G->value(t))) << t;
    EXPECT_TRUE(std::isfinite(G->weight(t))) << t;
    EXPECT_TRUE(std::isfinite(G->conjugate(std::min(t, G->dual_bound())))) << t;
    for (const double gamma : {1e-12, 1e-6, 1.0, 1e6, 1e12}) {
      const double x = G->prox(t, gamma);
      EXPECT_GE(x, 0);
      EXPECT_LE(x, t * (1 + 1e-14)) << "gamma " << gamma;
      const double slope = G->prox_slope(t, gamma);
      EXPECT_TRUE(slope >= 0 && slope <= 1) << slope << " at v " << t << " gamma " << gamma;
      const double envelope = G->envelope(t, gamma);
      EXPECT_TRUE(envelope >= 0 && std::isfinite(envelope)) << envelope << " at v " << t << " gamma " << gamma;
    }
    if (G->has_smooth_dual()) {
      EXPECT_TRUE(std::isfinite(G->conjugate_slope(t))) << t;
      EXPECT_TRUE(std::isfinite(G->conjugate_curvature(t))) << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, RegularizerTest, testing::ValuesIn(regularizer_cases()),
                         [](const auto& info) { return label(info.param); });

TEST(Block1Test, HasNoConjugateSlope) {
  EXPECT_THROW(make_regularizer("block1", {})->conjugate_slope(0.1), std::logic_error);
  EXPECT_THROW(make_regularizer("block1", {})->conjugate_curvature(0.1), std::logic_error);
}

TEST(RegularizerParameterTest, BadAlphaIsRefused) {
  for (const std::string& name : names_of(regularizer_types()))
    for (const double alpha : {0.0, -1.0, std::nan(""), kInfinity})
      expect_refused([&] { make_regularizer(name, {alpha, 0.5, 1.5}); }, "alpha");
}

TEST(RegularizerParameterTest, BadMixingRatioIsRefused) {
  for (const std::string& name : names_with(regularizer_types(), "l1_ratio"))
    for (const double l1_ratio : {-0.01, 1.01, std::nan("")})
      expect_refused([&] { make_regularizer(name, {1, l1_ratio, 1.5}); }, "l1_ratio");
}

TEST(RegularizerParameterTest, BadExponentIsRefused) {
  for (const std::string& name : names_with(regularizer_types(), "q")) {
    for (const double q : {0.5, 0.999, -2.0, std::nan(""), kInfinity})
      expect_refused([&] { make_regularizer(name, {1, 0.5, q}); }, "q is");
    expect_refused([&] { make_regularizer(name, {1, 0.5, 1.0}); }, "block1");
  }
}

TEST(RegularizerParameterTest, UnknownNameIsRefusedAndTheKnownOnesAreListed) {
  expect_refused([] { make_regularizer("lasso", {}); }, "lasso");
  for (const RegularizerCase& known : each_regularizer())
    expect_refused([] { make_regularizer("lasso", {}); }, known.name);
}

/// A user's own regulariser, built from the formulas of a library one.
CustomRegularizer custom_copy(std::shared_ptr<const Regularizer> original) {
  CustomRegularizerFunctions functions;
  functions.value = [=](double x) { return original->value(x); };
  functions.conjugate = [=](double u) { return original->conjugate(u); };
  functions.prox = [=](double v, double gamma) { return original->prox(v, gamma); };
  functions.prox_slope = [=](double v, double gamma) { return original->prox_slope(v, gamma); };
  functions.threshold = original->threshold();
  functions.dual_bound = original->dual_bound();
  return {"mine", original->alpha(), functions};
}

TEST(CustomRegularizerTest, EqualsTheRegulariserItCopies) {
  for (const RegularizerCase& c : {RegularizerCase{"block1", 0.7}, RegularizerCase{"elasticnet", 0.7, 0.3}}) {
    const auto original = c.make();
    const CustomRegularizer custom = custom_copy(original);
    EXPECT_EQ(custom.name(), "mine");
    EXPECT_EQ(custom.threshold(), original->threshold());
    EXPECT_EQ(custom.dual_bound(), original->dual_bound());
    EXPECT_FALSE(custom.has_smooth_dual());
    for (double t = 1e-3; t < 1e3; t *= 3) {
      EXPECT_EQ(custom.prox(t, 2), original->prox(t, 2));
      EXPECT_NEAR(custom.envelope(t, 2), original->envelope(t, 2), 1e-13 * (1 + t * t));
      EXPECT_NEAR(custom.weight(t), original->weight(t), 1e-10 * original->weight(t)) << "derived from the prox alone";
    }
    EXPECT_EQ(custom.weight(0), 0);
  }
}

TEST(CustomRegularizerTest, WeightSurvivesExtremeNorms) {
  const auto original = RegularizerCase{"block1", 0.7}.make();
  const CustomRegularizer custom = custom_copy(original);
  for (const double x : {1e-12, 1e-6, 1e6, 1e9, 1e12})
    EXPECT_NEAR(custom.weight(x) / original->weight(x), 1, 1e-12) << "x " << x;
}

TEST(CustomRegularizerTest, MissingFunctionIsRefusedByName) {
  CustomRegularizerFunctions incomplete;
  incomplete.value = [](double x) { return x; };
  expect_refused([&] { CustomRegularizer("mine", 1, incomplete); }, "mine");
  const auto original = RegularizerCase{"block1"}.make();
  expect_refused([&] { CustomRegularizer("mine", -1, {}); }, "alpha");
}

}  // namespace
