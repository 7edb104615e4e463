// Newton's method on the kernel weights: when it is for, and where it ends. Its answers: newton_methods_test.cpp.
#include "solver/outer/weights.hpp"

#include <gtest/gtest.h>

#include "solver/driver.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

/// Newton on the weights, with the proximal loop to take over.
Result with_successors(const Problem& problem, const Settings& settings) {
  return solve_as({.methods = {Method::weights, Method::spicy}}, problem, settings);
}

TEST(Weights, StoppedBeforeTheFirstRoundThereIsAModel) {
  const TestProblem test = make_problem_at(0.1, {"hinge"}, {"block1"}, {.n = 60, .m = 8});
  Settings settings{.tol = 1e-12};
  settings.watch = Watch::asking([] { return true; });
  const Result result = with_successors(test.problem, settings);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.expansion.dual.size(), 60);
  EXPECT_TRUE(std::isfinite(result.certificate.relative_gap));
}

TEST(Weights, OnlyForLossesOfSupportVectorMachinesAndSparsePenalties) {
  const ProblemSpec spec{.n = 20, .m = 3};
  const auto allowed = [&](const LossCase& loss, const RegularizerCase& penalty) {
    return outline_of(make_problem(loss, penalty, spec).problem, false).allows_newton_on_weights();
  };
  EXPECT_TRUE(allowed({"hinge"}, {"block1"}));
  EXPECT_FALSE(allowed({"logistic"}, {"block1"}));
  EXPECT_FALSE(allowed({"squared"}, {"block1"}));
  EXPECT_FALSE(allowed({"epsilon_insensitive"}, {"block1"}));
  EXPECT_FALSE(allowed({"hinge"}, {"uniform"}));
  EXPECT_EQ(choose(make_problem({"hinge"}, {"block1"}, spec).problem, {}, false).methods.front(), Method::spicy);
}

TEST(Weights, CanBeSwitchedOff) {
  const TestProblem test = make_problem_at(0.1, {"hinge"}, {"block1"}, {.n = 520, .m = 8});
  Plan plan = choose(test.problem, {}, false);
  ASSERT_EQ(plan.methods.front(), Method::weights);
  const Result on = solve_as(plan, test.problem, {.tol = 1e-6});
  plan.methods = {Method::spicy};
  const Result off = solve_as(plan, test.problem, {.tol = 1e-6});
  EXPECT_NEAR(on.certificate.primal, off.certificate.primal, 2e-6 * off.certificate.primal);
  EXPECT_NE(on.history.size(), off.history.size());
}

TEST(Weights, NoKernelIsNeededAboveAlphaMax) {
  const TestProblem test = make_problem_at(1.5, {"hinge"}, {"block1"}, {.n = 40, .m = 5});
  const Result result = with_successors(test.problem, {.tol = 1e-3});
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_TRUE(result.expansion.kernels.empty());
}

}  // namespace
