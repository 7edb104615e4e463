// Of two answers to one problem the smaller primal value is kept, with the better of both bounds.
#include <gtest/gtest.h>

#include "solver/outer/recover.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

constexpr double kTol = 0.1;

class BetterModelTest : public testing::Test {
 protected:
  const TestProblem test = make_problem_at(0.1, {"squared"}, {"block1"}, {.n = 12, .m = 3});

  /// An answer with that intercept for a mark, that primal value, and the bound that this multiple of ρ₀ proves.
  Result answer(double mark, double primal, double dual_part) const {
    Result result;
    result.expansion = {Vector::Ones(12), {}, Vector(0), Matrix::Constant(1, 1, mark)};
    result.bound = dual_bound(test.problem, dual_part * test.problem.best_constant().dual);
    result.certificate = certify(PrimalValue{primal, Vector(0)}, result.bound);
    return result;
  }
};

TEST_F(BetterModelTest, BesideABoundOfZeroThePrimalValueDecides) {
  Result earlier = answer(1, 1e-9, 0), later = answer(2, 1e-3, 0);
  ASSERT_EQ(earlier.certificate.relative_gap, later.certificate.relative_gap) << "both are 1";
  keep_better_model(earlier, later, kTol);
  EXPECT_EQ(later.expansion.unpenalised(0), 1);
  EXPECT_EQ(later.certificate.primal, 1e-9);
}

TEST_F(BetterModelTest, TheBetterBoundIsKeptWithWhicheverModel) {
  const double bound = answer(0, 0, 1).bound.value();
  ASSERT_GT(bound, 0);
  Result earlier = answer(1, 2 * bound, 0), later = answer(2, 3 * bound, 1);
  keep_better_model(earlier, later, kTol);
  EXPECT_EQ(later.expansion.unpenalised(0), 1) << "although its own gap was the larger one";
  EXPECT_EQ(later.certificate.dual_objective, bound);
  EXPECT_DOUBLE_EQ(later.certificate.relative_gap, 0.5);
}

TEST_F(BetterModelTest, ModelAndBoundTogetherMayMeetTheTolerance) {
  const double bound = answer(0, 0, 1).bound.value();
  Result earlier = answer(1, 1.05 * bound, 0), later = answer(2, 3 * bound, 1);
  earlier.status = later.status = Status::stalled;
  keep_better_model(earlier, later, kTol);
  EXPECT_EQ(later.status, Status::converged);
  EXPECT_EQ(later.message, "the relative duality gap is within 0.1");
  Result worse = answer(1, 2 * bound, 0), still = answer(2, 3 * bound, 1);
  still.status = Status::stalled;
  keep_better_model(worse, still, kTol);
  EXPECT_EQ(still.status, Status::stalled);
}

/// Beside an optimum that is nothing but rounding the bound of one may exceed the primal value of the other.
TEST_F(BetterModelTest, WhatContradictsTheOtherIsNotTaken) {
  const double bound = answer(0, 0, 1).bound.value();
  Result earlier = answer(1, 0.8 * bound, 0), later = answer(2, 1.01 * bound, 1);
  ASSERT_LE(later.certificate.relative_gap, kTol);
  later.status = Status::converged;
  keep_better_model(earlier, later, kTol);
  EXPECT_EQ(later.status, Status::converged);
  EXPECT_LE(later.certificate.relative_gap, kTol);
  EXPECT_EQ(later.expansion.unpenalised(0), 2);
}

TEST_F(BetterModelTest, AnAnswerWithoutAModelIsNone) {
  Result nothing, later = answer(2, 3, 0);
  keep_better_model(nothing, later, kTol);
  EXPECT_EQ(later.expansion.unpenalised(0), 2);
  EXPECT_EQ(later.certificate.primal, 3);
}

}  // namespace
