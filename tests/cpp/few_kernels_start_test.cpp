// The start from a sample of the kernels: near the answer, and the same answer in the end.
#include "solver/outer/few_kernels_start.hpp"

#include <gtest/gtest.h>

#include "solver/driver.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

struct Case {
  LossCase loss;
  RegularizerCase penalty;
  bool saves_steps;  ///< not where there is one step to take, nor where few kernels outweigh the others
};

class FewKernelsStartTest : public testing::TestWithParam<Case> {
 protected:
  TestProblem whole = make_problem_at(0.05, GetParam().loss, GetParam().penalty, {.n = 60, .m = 800, .seed = 9});
};

TEST_P(FewKernelsStartTest, ReachesTheSameObjective) {
  const Settings settings{.tol = 1e-3};
  Plan plan = choose(whole.problem, settings, false);
  ASSERT_TRUE(plan.part_of_kernels);
  const Result from_few = solve_as(plan, whole.problem, settings);
  plan.part_of_kernels = false;
  const Result plain = solve_as(plan, whole.problem, settings);
  EXPECT_EQ(from_few.status, Status::converged) << from_few.message;
  EXPECT_EQ(plain.status, Status::converged) << plain.message;
  EXPECT_NEAR(from_few.certificate.primal, plain.certificate.primal, 2e-3 * plain.certificate.primal);
  ASSERT_EQ(from_few.stages.front().name, kPartOfKernels);
  EXPECT_GT(from_few.stages.front().newton_steps, 0);
  if (GetParam().saves_steps) {
    EXPECT_LT(from_few.newton_steps, plain.newton_steps);
  }
}

TEST_P(FewKernelsStartTest, HasNoCoefficientsOfTheSample) {
  Stage stage;
  const WarmStart start = start_from_few_kernels(choose(whole.problem, {}, false), whole.problem, {}, stage);
  EXPECT_EQ(start.dual.size(), whole.problem.n_samples());
  EXPECT_TRUE(start.kernels.empty());
  EXPECT_EQ(start.coef.size(), 0);
}

TEST_P(FewKernelsStartTest, AStopLeavesNoStart) {
  Settings settings;
  settings.watch = Watch::asking([] { return true; });
  Stage stage;
  EXPECT_TRUE(start_from_few_kernels(choose(whole.problem, {}, false), whole.problem, settings, stage).empty());
}

INSTANTIATE_TEST_SUITE_P(Problems, FewKernelsStartTest,
                         testing::Values(Case{{"logistic"}, {"elasticnet"}, true},
                                         Case{{"squared"}, {"elasticnet"}, false},
                                         Case{{"hinge"}, {"elasticnet"}, true}, Case{{"logistic"}, {"blockq"}, true},
                                         Case{{"squared"}, {"uniform"}, false}),
                         [](const auto& info) { return label(info.param.loss) + label(info.param.penalty); });

}  // namespace
