// Every loss against the definition of its conjugate, and its constrained form (Section 3.4.2) against its conjugate.
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

std::vector<LossCase> loss_cases() {
  std::vector<LossCase> cases = each_loss();
  const std::vector<LossCase> extreme = {
      {"huber", 0.4}, {"epsilon_insensitive", 0}, {"huber", 3}, {"quantile", 0.1, 0.5}, {"quantile", 0.1, 0.95}};
  cases.insert(cases.end(), extreme.begin(), extreme.end());
  return cases;
}

class LossTest : public testing::TestWithParam<LossCase> {
 protected:
  std::shared_ptr<const Loss> loss = GetParam().make();
  std::mt19937_64 random{7};

  double uniform(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(random); }

  std::vector<double> labels() const {
    return GetParam().classifies() ? std::vector<double>{1, -1} : std::vector<double>{-2.5, -1, 0, 0.3, 1, 4};
  }

  /// The domain with infinite ends replaced by ±10.
  Interval bounded_domain(double y) const {
    const Interval domain = loss->dual_domain(y);
    return {std::max(domain.lower, -10.0), std::min(domain.upper, 10.0)};
  }

  double random_dual(double y) {
    const Interval domain = bounded_domain(y);
    return uniform(domain.lower, domain.upper);
  }

  /// A point strictly inside, off the boundary by 5 % of the width.
  double interior_dual(double y) {
    const Interval domain = bounded_domain(y);
    const double margin = 0.05 * (domain.upper - domain.lower);
    return uniform(domain.lower + margin, domain.upper - margin);
  }

  /// min over ρ̃ of ℓ0* subject to h_j ≤ 0, by a scan of a dyadic grid: exact where ρ is on the grid too.
  double constrained_minimum(double y, double rho) const {
    double best = kInfinity;
    for (int k = -3 * 64; k <= 3 * 64; ++k) {
      const double aux = loss->has_auxiliary() ? k / 64.0 : 0;
      bool feasible = true;
      for (int j = 0; j < loss->n_constraints(); ++j)
        feasible = feasible && loss->constraint(j, y, rho, aux).value <= 1e-12;
      if (feasible) best = std::min(best, loss->smooth_conjugate(y, rho, aux).value);
      if (!loss->has_auxiliary()) break;
    }
    return best;
  }
};

TEST_P(LossTest, ConjugateIsAsConvexAsItSays) {
  const double mu = loss->conjugate_convexity();
  for (const double y : labels())
    for (int k = 0; k < 200; ++k) {
      const double a = random_dual(y), b = random_dual(y);
      const double middle = loss->conjugate(y, (a + b) / 2);
      const double least = (loss->conjugate(y, a) + loss->conjugate(y, b)) / 2 - middle;
      EXPECT_GE(least, mu / 8 * (a - b) * (a - b) - 1e-12) << y << ' ' << a << ' ' << b;
    }
}

TEST_P(LossTest, IsFoundByItsName) { EXPECT_EQ(loss->name(), GetParam().name); }

TEST_P(LossTest, AgreesWithTheReferee) {
  for (const double y : labels())
    for (int k = 0; k < 200; ++k) {
      const double z = uniform(-5, 5), rho = random_dual(y);
      EXPECT_NEAR(loss->value(y, z), referee_loss(GetParam(), y, z), 1e-13 * (1 + std::abs(loss->value(y, z))));
      EXPECT_NEAR(loss->conjugate(y, rho), referee_conjugate(GetParam(), y, rho), 1e-13 * (1 + rho * rho));
    }
}

TEST_P(LossTest, FenchelYoungInequalityHolds) {
  for (const double y : labels())
    for (int k = 0; k < 500; ++k) {
      const double z = uniform(-6, 6), rho = random_dual(y);
      EXPECT_GE(loss->value(y, z) + loss->conjugate(y, rho) + rho * z, -1e-12)
          << "y " << y << " z " << z << " rho " << rho;
    }
}

TEST_P(LossTest, FenchelYoungIsAnEqualityAtTheDualPoint) {
  for (const double y : labels())
    for (int k = 0; k < 500; ++k) {
      const double z = uniform(-6, 6);
      const double rho = loss->dual_point(y, z);
      EXPECT_NEAR(loss->value(y, z) + loss->conjugate(y, rho) + rho * z, 0, 1e-11) << "y " << y << " z " << z;
    }
}

TEST_P(LossTest, ConjugateIsTheSupremumOverPredictions) {
  for (const double y : labels())
    for (int k = 0; k < 100; ++k) {
      const double rho = k == 0 ? bounded_domain(y).lower : k == 1 ? bounded_domain(y).upper : random_dual(y);
      const auto negative = [&](double z) { return loss->value(y, z) + rho * z; };
      const double supremum = -golden_minimum(negative, -60, 60);
      EXPECT_NEAR(loss->conjugate(y, rho), supremum, 1e-11 * (1 + std::abs(supremum))) << "y " << y << " rho " << rho;
    }
}

TEST_P(LossTest, OutsideTheDomainTheConjugateIsInfinite) {
  for (const double y : labels()) {
    const Interval domain = loss->dual_domain(y);
    for (const double outside : {domain.lower - 0.01, domain.upper + 0.01}) {
      if (!std::isfinite(outside)) continue;
      EXPECT_EQ(loss->conjugate(y, outside), kInfinity);
      // The supremum is infinite indeed: −ρz − ℓ grows without bound on one side.
      const double reach = 1e6;
      EXPECT_GT(std::max(-outside * reach - loss->value(y, reach), outside * reach - loss->value(y, -reach)), 1e3);
    }
  }
}

TEST_P(LossTest, DualPointLiesInTheDomain) {
  for (const double y : labels())
    for (const double z : {-1e300, -1e10, -50.0, -1.0, -0.1, 0.0, 0.1, 1.0, 50.0, 1e10, 1e300}) {
      const double rho = loss->dual_point(y, z);
      EXPECT_GE(rho, loss->dual_domain(y).lower);
      EXPECT_LE(rho, loss->dual_domain(y).upper);
    }
}

TEST_P(LossTest, DualDomainContainsZero) {
  for (const double y : labels()) {
    EXPECT_LE(loss->dual_domain(y).lower, 0);
    EXPECT_GE(loss->dual_domain(y).upper, 0);
    EXPECT_EQ(loss->conjugate(y, 0.0), 0) << "every loss has minimum 0, so its conjugate vanishes at 0";
  }
}

TEST_P(LossTest, ConjugateIsFiniteAndContinuousAtTheEdgesOfTheDomain) {
  for (const double y : labels()) {
    const Interval domain = loss->dual_domain(y);
    for (const double edge : {domain.lower, domain.upper}) {
      if (!std::isfinite(edge)) continue;
      const double inside = edge + (edge == domain.lower ? 1e-9 : -1e-9);
      EXPECT_TRUE(std::isfinite(loss->conjugate(y, edge)));
      EXPECT_NEAR(loss->conjugate(y, edge), loss->conjugate(y, inside), 1e-7);
    }
  }
}

TEST_P(LossTest, HugePredictionsGiveFiniteValues) {
  for (const double y : labels())
    for (const double z : {-1e150, -1e5, -800.0, 800.0, 1e5, 1e150}) {
      EXPECT_TRUE(std::isfinite(loss->value(y, z))) << z;
      EXPECT_GE(loss->value(y, z), 0);
      EXPECT_TRUE(std::isfinite(loss->dual_point(y, z))) << z;
    }
}

TEST_P(LossTest, SmoothConjugateHasTheDerivativesItClaims) {
  for (const double y : labels())
    for (int k = 0; k < 50; ++k) {
      const double rho = interior_dual(y), aux = uniform(-0.5, 1.5), h = 1e-4;
      const DualTerm term = loss->smooth_conjugate(y, rho, aux);
      const auto in_rho = [&](double r) { return loss->smooth_conjugate(y, r, aux); };
      const auto in_aux = [&](double a) { return loss->smooth_conjugate(y, rho, a); };
      EXPECT_NEAR(term.d_rho, derivative([&](double r) { return in_rho(r).value; }, rho, h), 1e-8);
      EXPECT_NEAR(term.d_aux, derivative([&](double a) { return in_aux(a).value; }, aux, h), 1e-8);
      EXPECT_NEAR(term.d_rho_rho, derivative([&](double r) { return in_rho(r).d_rho; }, rho, h), 1e-7);
      EXPECT_NEAR(term.d_rho_aux, derivative([&](double a) { return in_aux(a).d_rho; }, aux, h), 1e-8);
      EXPECT_NEAR(term.d_aux_aux, derivative([&](double a) { return in_aux(a).d_aux; }, aux, h), 1e-8);
    }
}

TEST_P(LossTest, ConstraintsHaveTheDerivativesTheyClaim) {
  for (const double y : labels())
    for (int j = 0; j < loss->n_constraints(); ++j)
      for (int k = 0; k < 20; ++k) {
        const double rho = uniform(-3, 3), aux = uniform(-3, 3), h = 1e-3;
        const DualTerm term = loss->constraint(j, y, rho, aux);
        const auto in_rho = [&](double r) { return loss->constraint(j, y, r, aux); };
        const auto in_aux = [&](double a) { return loss->constraint(j, y, rho, a); };
        EXPECT_NEAR(term.d_rho, derivative([&](double r) { return in_rho(r).value; }, rho, h), 1e-9);
        EXPECT_NEAR(term.d_aux, derivative([&](double a) { return in_aux(a).value; }, aux, h), 1e-9);
        EXPECT_NEAR(term.d_rho_rho, derivative([&](double r) { return in_rho(r).d_rho; }, rho, h), 1e-9);
        EXPECT_NEAR(term.d_rho_aux, derivative([&](double a) { return in_aux(a).d_rho; }, aux, h), 1e-9);
        EXPECT_NEAR(term.d_aux_aux, derivative([&](double a) { return in_aux(a).d_aux; }, aux, h), 1e-9);
      }
}

TEST_P(LossTest, ConstrainedFormEqualsTheConjugate) {
  for (const double y : labels())
    for (int k = -2 * 64; k <= 2 * 64; ++k) {
      const double rho = k / 64.0;
      const Interval domain = loss->dual_domain(y);
      const double minimum = constrained_minimum(y, rho);
      if (rho >= domain.lower && rho <= domain.upper) EXPECT_NEAR(minimum, loss->conjugate(y, rho), 1e-12) << rho;
      else EXPECT_EQ(minimum, kInfinity) << "y " << y << " rho " << rho;
    }
}

TEST_P(LossTest, SmoothDomainContainsTheInteriorOfTheDomain) {
  for (const double y : labels()) {
    EXPECT_LE(loss->smooth_domain(y).lower, loss->dual_domain(y).lower);
    EXPECT_GE(loss->smooth_domain(y).upper, loss->dual_domain(y).upper);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, LossTest, testing::ValuesIn(loss_cases()),
                         [](const auto& info) { return label(info.param); });

TEST(LossParameterTest, BadParametersAreRefusedByName) {
  const double nan = std::nan("");
  for (const double epsilon : {-0.1, nan, kInfinity})
    expect_refused([&] { make_loss("epsilon_insensitive", {epsilon, 0.5}); }, "epsilon");
  for (const double epsilon : {-0.1, 0.0, nan, kInfinity})
    expect_refused([&] { make_loss("huber", {epsilon, 0.5}); }, "epsilon");
  for (const double quantile : {-0.1, 0.0, 1.0, 1.5, nan})
    expect_refused([&] { make_loss("quantile", {0.1, quantile}); }, "quantile");
}

TEST(LossParameterTest, UnknownNameIsRefusedAndTheKnownOnesAreListed) {
  expect_refused([] { make_loss("hindge"); }, "hindge");
  for (const LossCase& loss : each_loss()) expect_refused([] { make_loss(""); }, loss.name);
}

TEST(LossParameterTest, EdgeValuesOfTheEntropyAreZero) {
  const auto made = make_loss("logistic");
  const Loss& loss = *made;
  for (const double y : {1.0, -1.0}) {
    EXPECT_EQ(loss.conjugate(y, 0), 0);
    EXPECT_EQ(loss.conjugate(y, y), 0);
    EXPECT_NEAR(loss.conjugate(y, 0.5 * y), -std::log(2.0), 1e-15);
  }
}

TEST(LossParameterTest, SupportVectorConjugatesAtTheCorners) {
  EXPECT_EQ(make_loss("hinge")->conjugate(1, 1), -1);
  EXPECT_EQ(make_loss("hinge")->conjugate(-1, -1), -1);
  EXPECT_DOUBLE_EQ(make_loss("epsilon_insensitive", {.epsilon = 0.1})->conjugate(2, 1), -1.9);
  EXPECT_DOUBLE_EQ(make_loss("epsilon_insensitive", {.epsilon = 0.1})->conjugate(2, -1), 2.1);
  EXPECT_DOUBLE_EQ(make_loss("huber", {.epsilon = 0.5})->conjugate(2, 1), -1.75);
}

}  // namespace
