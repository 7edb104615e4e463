// The penalty as a price of kernel weights, h(d) of Section 4.1: its derivatives by differences, and G as the minimum
// of what weights and norms cost together.
#include <gtest/gtest.h>

#include "support/catalogue.hpp"
#include "support/numeric.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

std::vector<RegularizerCase> concave_cases() {
  std::vector<RegularizerCase> cases = {{"block1", 0.7}, {"uniform", 0.7}};
  for (const double l1_ratio : {0.0, 0.3, 0.95, 1.0}) {
    cases.push_back({"elasticnet", 0.7, l1_ratio});
    for (const double q : {1.1, 1.5, 1.9, 2.0}) cases.push_back({"mixed", 0.7, l1_ratio, q});
  }
  for (const double q : {1.1, 1.5, 1.9, 2.0}) cases.push_back({"blockq", 0.7, 0.5, q});
  return cases;
}

class WeightPriceTest : public testing::TestWithParam<RegularizerCase> {
 protected:
  std::shared_ptr<const Regularizer> G = GetParam().make();

  /// Inside [0, largest_weight()).
  std::vector<double> weights() const {
    const double end = std::min(G->largest_weight(), 5.0);
    return {0.02 * end, 0.3 * end, 0.6 * end, 0.9 * end};
  }
};

TEST_P(WeightPriceTest, SlopeAndCurvatureAreDerivatives) {
  ASSERT_TRUE(G->has_weight_price());
  for (const double d : weights()) {
    const CurvedValue h = G->weight_price(d);
    const double step = 1e-4 * d;
    const auto value = [&](double t) { return G->weight_price(t).value; };
    const auto slope = [&](double t) { return G->weight_price(t).slope; };
    EXPECT_NEAR(h.slope, derivative(value, d, step), 1e-8 * (1 + h.slope)) << "d " << d;
    EXPECT_NEAR(h.curvature, derivative(slope, d, step), 1e-7 * (1 + h.curvature)) << "d " << d;
    EXPECT_GE(h.slope, 0) << "more weight costs more";
  }
}

TEST_P(WeightPriceTest, NoWeightCostsNothing) { EXPECT_EQ(G->weight_price(0).value, 0); }

TEST_P(WeightPriceTest, ThePenaltyIsTheLeastThatWeightsCost) {
  const double alpha = G->alpha();
  for (const double x : {0.05, 0.4, 1.0, 3.0}) {
    const double weight = G->weight(x), end = std::min(G->largest_weight(), 100 * weight);
    const auto cost = [&](double d) { return alpha / 2 * (x * x / d + G->weight_price(d).value); };
    EXPECT_LE(weight, G->largest_weight());
    EXPECT_NEAR(golden_minimum(cost, 1e-9 * end, (1 - 1e-12) * end), G->value(x), 1e-9 * G->value(x)) << "x " << x;
    if (weight < (1 - 1e-9) * end) EXPECT_NEAR(cost(weight), G->value(x), 1e-12 * G->value(x)) << "x " << x;
  }
}

TEST_P(WeightPriceTest, SlopeAtZeroIsThatOfTheThreshold) {
  const double ratio = G->threshold() / G->alpha();
  EXPECT_NEAR(G->weight_price(0).slope, ratio * ratio, 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Each, WeightPriceTest, testing::ValuesIn(concave_cases()),
                         [](const auto& info) { return label(info.param); });

TEST(WeightPrice, NotWhereGIsConvexInTheSquare) {
  for (const char* name : {"blockq", "mixed"}) {
    const auto G = RegularizerCase{name, 0.7, 0.5, 3.0}.make();
    EXPECT_FALSE(G->has_weight_price());
  }
  const CustomRegularizer own("mine", 1,
                              {.value = [](double x) { return x; },
                               .conjugate = [](double) { return 0.0; },
                               .prox = [](double v, double) { return v; },
                               .prox_slope = [](double, double) { return 1.0; }});
  EXPECT_FALSE(own.has_weight_price()) << "not known of a user's own";
  EXPECT_THROW(own.weight_price(1), std::logic_error);
}

}  // namespace
