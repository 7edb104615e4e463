// Newton's method on the kernel weights: the same answers as the proximal loop, proved by the referee.
#include "solver/outer/weights.hpp"

#include <gtest/gtest.h>

#include "solver/driver.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

struct WeightsCase {
  LossCase loss;
  RegularizerCase penalty;
  double strength;
  ProblemSpec spec;
};

std::vector<WeightsCase> cases() {
  std::vector<WeightsCase> all;
  const RegularizerCase penalties[] = {{"block1"}, {"elasticnet"}, {"elasticnet", 1, 0.9}};
  for (const LossCase& loss : each_loss())
    for (const RegularizerCase& penalty : penalties)
      for (const double strength : {0.5, 0.05, 0.002}) {
        all.push_back({loss, penalty, strength, {.n = 60, .m = 8, .seed = 7}});
        all.push_back(
            {loss, penalty, strength, {.n = 50, .m = 9, .seed = 8, .fit_intercept = false, .weighted = true}});
        all.push_back({loss, penalty, strength, {.n = 40, .m = 12, .seed = 9, .awkward = true}});
      }
  return all;
}

/// Newton on the weights, with the proximal loop to take over.
Result with_successors(const Problem& problem, const Settings& settings, const WarmStart& start = {}) {
  return solve_as({.methods = {Method::weights, Method::spicy}}, problem, settings, start);
}

class WeightsTest : public testing::TestWithParam<WeightsCase> {
 protected:
  void SetUp() override {
    if (!outline_of(test.problem, false).allows_newton_on_weights()) GTEST_SKIP() << "not a loss for this solver";
  }
  TestProblem test = make_problem_at(GetParam().strength, GetParam().loss, GetParam().penalty, GetParam().spec);
};

TEST_P(WeightsTest, ReachesTheObjectiveOfTheProximalLoop) {
  for (const double tol : {1e-2, 1e-6}) {
    SCOPED_TRACE(tol);
    const Result newton = with_successors(test.problem, {.tol = tol});
    EXPECT_EQ(newton.status, Status::converged) << newton.message;
    const RefereeVerdict verdict = referee_verdict(test.naive, newton.expansion, newton.certificate.dual);
    EXPECT_LE(verdict.gap, 1.0001 * tol);
    expect_gap_of(verdict, test.problem, newton);
    const Result loop = solve(test.problem, {.tol = tol, .solver = SolverKind::spicy});
    EXPECT_NEAR(newton.certificate.primal, loop.certificate.primal, 2 * tol * loop.certificate.primal);
  }
}

TEST_P(WeightsTest, ContinuesFromAWarmStart) {
  const Result first = with_successors(test.problem, {.tol = 1e-3});
  const Result second = with_successors(test.problem, {.tol = 1e-3}, first.warm_start);
  EXPECT_EQ(second.status, Status::converged) << second.message;
  EXPECT_LE(second.iterations, first.iterations);
}

TEST_P(WeightsTest, CanBeInterruptedAtAnyRound) {
  for (int stop_at = 0; stop_at < 3; ++stop_at) {
    Settings settings{.tol = 1e-12};
    settings.callback = [=](const Record& record) { return record.iteration < stop_at; };
    const Result result = with_successors(test.problem, settings);
    EXPECT_TRUE(result.expansion.dual.allFinite());
    EXPECT_EQ(result.expansion.dual.size(), test.problem.n_samples());
    EXPECT_TRUE(std::isfinite(result.certificate.relative_gap));
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, WeightsTest, testing::ValuesIn(cases()), [](const auto& info) {
  const WeightsCase& c = info.param;
  return label(c.loss) + "_" + label(c.penalty) + "_" + std::to_string(static_cast<int>(1000 * c.strength)) + "_" +
         (c.spec.awkward ? "awkward" : (c.spec.fit_intercept ? "plain" : "no_intercept"));
});

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
