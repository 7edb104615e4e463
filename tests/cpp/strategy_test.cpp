// The strategy: which plan a problem gets, and that every plan leads to the same answer.
#include "spicymkl/solver/strategy.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/driver.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

template <class T>
constexpr bool can_skip_the_proof = requires(T settings) {
  settings.prove;
};
static_assert(!can_skip_the_proof<Settings>, "no public setting voids the certificate");

ProblemOutline matrices(Index n_samples, Index n_kernels) {
  return {.n_samples = n_samples,
          .n_kernels = n_kernels,
          .mean_rank = static_cast<double>(n_samples),
          .selects = true,
          .weight_price = true,
          .columns = true};
}

ProblemOutline with_hinge(ProblemOutline problem) {
  problem.svm_dual = true;
  return problem;
}

/// Whose conjugate has no kinks, with the block 1-norm.
ProblemOutline with_smooth_loss(ProblemOutline problem) {
  problem.smooth_loss = problem.bounds_norms = true;
  return problem;
}

ProblemOutline with_elasticnet(ProblemOutline problem) {
  problem.smooth_dual = true;
  return problem;
}

ProblemOutline with_blockq(ProblemOutline problem) {
  problem.smooth_dual = true;
  problem.selects = false;
  return problem;
}

ProblemOutline with_rank(ProblemOutline problem, double rank) {
  problem.mean_rank = rank;
  return problem;
}

std::string summary(const ProblemOutline& problem) {
  const Plan plan = choose(problem, SolverKind::automatic);
  std::string text = std::string(plan.part_of_samples ? "part " : "") + (plan.part_of_kernels ? "few " : "") +
                     (plan.working_set ? "set " : "");
  for (const Method method : plan.methods) text += std::string(to_string(method)) + " ";
  text.pop_back();
  return text;
}

/// The workloads of bench/standard.py.
TEST(StrategyTest, StandardWorkloads) {
  EXPECT_EQ(summary(matrices(200, 6000)), "set spicy");
  EXPECT_EQ(summary(with_hinge(matrices(200, 6000))), "set spicy");
  EXPECT_EQ(summary(with_elasticnet(matrices(200, 3000))), "few set onestep spicy");
  for (const Index n : {500, 1000, 2000, 3000, 10000}) {
    EXPECT_EQ(summary(matrices(n, 20)), "part spicy") << n;
    EXPECT_EQ(summary(with_hinge(matrices(n, 20))), "part weights spicy") << n;
    EXPECT_EQ(summary(with_elasticnet(matrices(n, 20))), "part onestep spicy") << n;
    EXPECT_EQ(summary(with_hinge(with_elasticnet(matrices(n, 20)))), "part weights onestep spicy") << n;
    EXPECT_EQ(summary(with_hinge(with_blockq(matrices(n, 20)))), "part onestep spicy") << n;
  }
  for (const Index m : {200, 500, 1000, 2000, 4000, 6000}) {
    EXPECT_EQ(summary(matrices(200, m)), "set spicy") << m;
    const std::string few = m < 500 ? "" : "few ";
    EXPECT_EQ(summary(with_hinge(with_elasticnet(matrices(200, m)))), few + "set onestep spicy") << m;
    EXPECT_EQ(summary(with_blockq(matrices(200, m))), few + "onestep spicy") << m;
  }
  EXPECT_EQ(summary(matrices(200, 50)), "spicy");
  EXPECT_EQ(summary(with_blockq(matrices(200, 50))), "onestep spicy");
  EXPECT_EQ(summary(matrices(400, 1000)), "part set spicy");
  // Tables with the kernels of `paper`, most of them factors: liver, pima, ionosphere, sonar.
  EXPECT_EQ(summary(with_rank(matrices(345, 168), 20)), "set spicy");
  EXPECT_EQ(summary(with_rank(matrices(768, 216), 20)), "part set spicy");
  EXPECT_EQ(summary(with_rank(matrices(351, 816), 20)), "set spicy");
  EXPECT_EQ(summary(with_rank(matrices(208, 1464), 20)), "set spicy");
}

TEST(StrategyTest, TheOptimalityConditionsWhereAFactorisationIsWhatASystemCosts) {
  EXPECT_EQ(summary(with_smooth_loss(matrices(200, 6000))), "set kkt spicy");
  EXPECT_EQ(summary(with_smooth_loss(matrices(3000, 20))), "part kkt spicy");
  EXPECT_EQ(summary(with_smooth_loss(with_rank(matrices(300, 20), 5))), "spicy") << "small systems";
  EXPECT_EQ(summary(with_smooth_loss(with_rank(matrices(100000, 20), 100))), "part kkt spicy") << "narrow ones";
  EXPECT_EQ(summary(with_smooth_loss(with_rank(matrices(6000, 50), 348))), "part spicy")
      << "each right-hand side takes conjugate gradients";
  const auto within = [](ProblemOutline problem, double gigabytes) {
    problem.work_bytes = 0x1p30 * gigabytes;
    return problem;
  };
  EXPECT_EQ(summary(within(with_smooth_loss(with_rank(matrices(100000, 20), 100)), 1)), "part kkt spicy")
      << "no matrix over the samples";
  EXPECT_EQ(summary(within(with_smooth_loss(with_rank(matrices(100000, 20), 100)), 0.1)), "part spicy") << "columns";
  EXPECT_EQ(summary(within(with_smooth_loss(matrices(10000, 20)), 0.5)), "part spicy") << "a matrix has no room";
  EXPECT_EQ(summary(within(with_smooth_loss(matrices(600, 3000)), 0.1)), "part set kkt spicy") << "columns of a set";
  const ProblemOutline grown = within(with_smooth_loss(matrices(600, 3000)), 0.1);
  EXPECT_EQ(methods_that_pay({Method::kkt, Method::spicy}, grown), std::vector{Method::spicy});
  ProblemOutline mixed = with_smooth_loss(with_rank(matrices(3000, 47), 400));
  mixed.matrices = true;
  EXPECT_EQ(summary(mixed), "part kkt spicy");
  const Plan whole = choose(with_smooth_loss(matrices(3000, 200)), SolverKind::automatic);
  EXPECT_EQ(plan_for_part(whole, with_smooth_loss(matrices(190, 200))).methods, whole.methods);
}

/// The smallest size at which `pays` holds.
template <class Pays>
Index break_even(const Pays& pays) {
  Index size = 1;
  while (size < 100000 && !pays(size)) ++size;
  return size;
}

TEST(StrategyTest, SizesFromWhichStagesPay) {
  const auto set_pays = [](Index n) {
    return break_even([=](Index m) { return choose(matrices(n, m), SolverKind::automatic).working_set; });
  };
  EXPECT_NEAR(set_pays(200), 80, 15);
  EXPECT_NEAR(set_pays(1000), 80, 15);
  EXPECT_NEAR(set_pays(10000), 80, 15);
  for (const Index m : {6, 20, 1000})
    EXPECT_NEAR(break_even([=](Index n) { return worth_a_part(matrices(n, m)); }), 400, 40) << m;
  // Newton's method on the weights pays where its first weights are no guess: with the part, that is.
  for (const Index m : {8, 20, 40}) {
    const Index weights_pay = break_even([=](Index n) {
      return choose(with_hinge(matrices(n, m)), SolverKind::automatic).methods.front() == Method::weights;
    });
    EXPECT_NEAR(weights_pay, 400, 40) << m;
  }
}

TEST(StrategyTest, WhatIsAskedForAndWhatThereIsDecide) {
  const ProblemOutline problem = with_hinge(matrices(3000, 200));
  EXPECT_EQ(summary(problem), "part set weights spicy");
  EXPECT_EQ(summary(problem.from_a_start()), "set weights spicy") << "a start is better than a part";
  ProblemOutline without_columns = with_hinge(matrices(3000, 20));
  without_columns.columns = false;
  EXPECT_EQ(summary(without_columns), "part spicy");
  without_columns.smoothable = true;
  EXPECT_FALSE(choose(without_columns, SolverKind::automatic).smoothing) << "a working set has columns";
  without_columns.set_columns = false;
  without_columns.bounds_norms = true;
  const Plan smooth = choose(without_columns, SolverKind::automatic);
  EXPECT_TRUE(smooth.smoothing);
  EXPECT_EQ(smooth.methods, (std::vector{Method::kkt, Method::spicy}));
  EXPECT_EQ(methods_that_pay(smooth.methods, without_columns), std::vector{Method::spicy})
      << "for what is left, with kinks";
  for (const auto& [kind, method] :
       {std::pair(SolverKind::spicy, Method::spicy), {SolverKind::onestep, Method::onestep}}) {
    const Plan plan = choose(with_elasticnet(problem), kind);
    EXPECT_FALSE(plan.part_of_samples || plan.part_of_kernels || plan.working_set);
    EXPECT_EQ(plan.methods, std::vector{method});
  }
}

TEST(StrategyTest, APartTakesWhatPaysThere) {
  const Plan whole = choose(with_hinge(matrices(3000, 200)), SolverKind::automatic);
  const Plan few_samples = plan_for_part(whole, with_hinge(matrices(190, 200)));
  EXPECT_FALSE(few_samples.part_of_samples);
  EXPECT_TRUE(few_samples.working_set);
  EXPECT_EQ(few_samples.methods, std::vector<Method>{Method::spicy});
  ProblemOutline few_kernels = with_hinge(matrices(3000, 40)).from_a_start();
  EXPECT_EQ(methods_that_pay(whole.methods, few_kernels), whole.methods);
  few_kernels.columns = false;
  EXPECT_EQ(methods_that_pay(whole.methods, few_kernels), std::vector<Method>{Method::spicy});
}

TEST(StrategyTest, ExpectedStagesAreThoseOfThePlan) {
  const ProblemOutline problem = with_hinge(matrices(3000, 200));
  const Stages stages = expected_stages(choose(problem, SolverKind::automatic), problem);
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[0].name, kPartOfSamples);
  EXPECT_EQ(stages[1].name, kWorkingSet);
  EXPECT_EQ(stages[2].name, "weights");
  for (const Stage& stage : stages) EXPECT_GT(stage.seconds, 0);
  EXPECT_LT(seconds(stages), method_seconds(problem)) << "or the plan would be another";
  EXPECT_EQ(stages_text(stages),
            "a start from part of the samples, a working set of kernels, Newton's method on the kernel weights");
}

TEST(StrategyTest, AStartFromFewKernelsIsExpectedToSaveTime) {
  const ProblemOutline problem = with_blockq(matrices(200, 3000));
  const Stages stages = expected_stages(choose(problem, SolverKind::automatic), problem);
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_EQ(stages[0].name, kPartOfKernels);
  EXPECT_LT(seconds(stages), method_seconds(problem));
  EXPECT_EQ(summary(problem.from_a_start()), "onestep spicy");
}

std::vector<std::string> names_of(const Stages& stages) {
  std::vector<std::string> names;
  for (const Stage& stage : stages) names.push_back(stage.name);
  return names;
}

class EveryPlanTest : public testing::TestWithParam<LossCase> {};

TEST_P(EveryPlanTest, HasTheSameAnswerAndSaysWhatRan) {
  const TestProblem test = make_problem_at(0.05, GetParam(), {"elasticnet"}, {.n = 440, .m = 12, .seed = 5});
  constexpr double kTol = 1e-6;
  const Result reference = solve(test.problem, {.tol = kTol});
  ASSERT_EQ(reference.status, Status::converged) << reference.message;
  for (const bool part : {false, true})
    for (const bool set : {false, true})
      for (const Method method : {Method::spicy, Method::onestep}) {
        const Plan plan{.part_of_samples = part, .working_set = set, .methods = {method, Method::spicy}};
        const Result result = solve_as(plan, test.problem, {.tol = kTol});
        EXPECT_EQ(result.status, Status::converged) << result.message;
        EXPECT_NEAR(result.certificate.primal, reference.certificate.primal, 2 * kTol * reference.certificate.primal);
        std::vector<std::string> expected;
        if (part) expected.emplace_back(kPartOfSamples);
        if (set) expected.emplace_back(kWorkingSet);
        expected.emplace_back(to_string(method));
        std::vector<std::string> ran = names_of(result.stages);
        ASSERT_GE(ran.size(), expected.size());
        ran.resize(expected.size());
        EXPECT_EQ(ran, expected);
        EXPECT_NEAR(seconds(result.stages), result.timers.total, 0.1 * result.timers.total + 1e-3);
      }
}

INSTANTIATE_TEST_SUITE_P(Losses, EveryPlanTest,
                         testing::Values(LossCase{"logistic"}, LossCase{"hinge"}, LossCase{"squared"}),
                         [](const auto& info) { return label(info.param); });

TEST(FallbackTest, TheNextMethodTakesOverAndBothAreReported) {
  const TestProblem test = make_problem_at(0.1, {"hinge"}, {"block1"}, {.n = 60, .m = 8, .seed = 4});
  const Settings settings{.tol = 1e-9};  // finer than Newton's method on the weights is good for
  const Result alone = solve_as({.methods = {Method::weights}}, test.problem, settings);
  EXPECT_EQ(alone.status, Status::stalled);
  const Result both = solve_as({.methods = {Method::weights, Method::spicy}}, test.problem, settings);
  EXPECT_EQ(both.status, Status::converged) << both.message;
  EXPECT_EQ(names_of(both.stages), (std::vector<std::string>{"weights", "spicy"}));
  EXPECT_EQ(both.stages[0].newton_steps + both.stages[1].newton_steps, both.newton_steps);
  EXPECT_GT(both.history.size(), alone.history.size());
}

}  // namespace
