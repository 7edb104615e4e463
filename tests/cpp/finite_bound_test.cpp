// A bound is finite whatever vector it is asked for, and so is the answer of every run, however it ends.
#include <gtest/gtest.h>

#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

std::vector<RegularizerCase> penalties() {
  std::vector<RegularizerCase> all = {{"block1", 1e-3}, {"elasticnet", 1e-3, 0.5}, {"uniform", 1e-3}};
  for (const double q : {1.000001, 1.001, 1.01, 50.0, 100.0}) {
    all.push_back({"blockq", 1e-3, 0.5, q});
    all.push_back({"mixed", 1e-3, 0.5, q});
  }
  return all;
}

class FiniteBoundTest : public testing::TestWithParam<RegularizerCase> {
 protected:
  TestProblem problem_of(const char* loss) const { return make_problem({loss}, GetParam(), {20, 5, 3}); }
};

TEST_P(FiniteBoundTest, WhateverTheVector) {
  Generator random{1};
  for (const char* loss : {"logistic", "hinge", "squared", "epsilon_insensitive"}) {
    const TestProblem test = problem_of(loss);
    const Vector normal = normal_vector(20, random);
    std::vector<Vector> vectors = {Vector::Zero(20), Vector::Constant(20, std::nan("")),
                                   Vector::Constant(20, kInfinity)};
    for (const double size : {1e-300, 1e-10, 1.0, 1e6, 1e160, 1e300}) vectors.push_back(size * normal);
    vectors.push_back(normal);
    vectors.back()(7) = std::nan("");
    for (const Vector& rho : vectors) {
      const DualBound bound = dual_bound(test.problem, rho);
      EXPECT_TRUE(std::isfinite(bound.value())) << loss << " " << rho(0);
      EXPECT_TRUE(bound.dual().allFinite()) << loss << " " << rho(0);
      EXPECT_EQ(bound.dual().size(), 20);
      EXPECT_GE(bound.value(), -1e-9) << "the zero vector proves 0";
    }
  }
}

TEST_P(FiniteBoundTest, WhateverTheEndOfARun) {
  for (const char* loss : {"logistic", "hinge", "squared"}) {
    const TestProblem test = problem_of(loss);
    Settings settings;
    settings.max_iter = 1;
    settings.tol = 1e-15;
    for (const bool stopped : {false, true}) {
      settings.watch = Watch::asking([=] { return stopped; });
      const Result result = solve(test.problem, settings);
      EXPECT_TRUE(is_finite(result.expansion, result.certificate)) << loss << " " << result.message;
      EXPECT_LE(result.certificate.relative_gap, 1) << "the best constant has no more";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, FiniteBoundTest, testing::ValuesIn(penalties()));

TEST(RelativeGapTest, IsNeverNaN) {
  for (const double primal : {0.0, 1.0, std::nan(""), kInfinity})
    for (const double dual : {0.0, 1.0, std::nan(""), -kInfinity, kInfinity}) {
      EXPECT_FALSE(std::isnan(relative_gap(primal, dual)));
      EXPECT_FALSE(std::isnan(relative_gap(PrimalValue{primal, Vector(0)}, dual)));
    }
}

TEST(RelativeGapTest, HasRoundingInItAndShowsADualAboveThePrimal) {
  EXPECT_DOUBLE_EQ(relative_gap(PrimalValue{2, Vector(0), {}, 0.5}, 1.5), 0.4);
  EXPECT_DOUBLE_EQ(relative_gap(PrimalValue{2, Vector(0), {}, 0.5}, 2), 0.2);
  EXPECT_DOUBLE_EQ(relative_gap(PrimalValue{2, Vector(0), {}, 0.5}, 4), 0.8);
  EXPECT_DOUBLE_EQ(relative_gap(PrimalValue{2, Vector(0), {}, 0.5, 0.5}, 1.5), 0.6) << "less of the bound is proved";
  EXPECT_EQ(relative_gap(PrimalValue{2, Vector(0), {}, kInfinity}, 1), 1);
}

}  // namespace
