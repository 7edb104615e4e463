// The start from a part of the samples: cut banks, the samples' answer, and the same solution in the end.
#include "solver/outer/coarse_start.hpp"

#include <gtest/gtest.h>

#include "solver/driver.hpp"
#include "solver/inner/sample_terms.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

WarmStart coarse_start_of(const Problem& problem) {
  Stage stage;
  return coarse_start(choose(problem, {}, false), problem, {}, stage);
}

class CoarseStartTest : public testing::TestWithParam<LossCase> {
 protected:
  TestProblem whole = make_problem_at(0.05, GetParam(), {"block1"}, {.n = 450, .m = 6, .seed = 5});
};

TEST_P(CoarseStartTest, ReachesTheSameObjective) {
  const Settings settings{.tol = 1e-6};
  Plan plan = choose(whole.problem, settings, false);
  ASSERT_TRUE(plan.part_of_samples);
  const Result a = solve_as(plan, whole.problem, settings);
  plan.part_of_samples = false;
  const Result b = solve_as(plan, whole.problem, settings);
  EXPECT_EQ(a.status, Status::converged);
  EXPECT_EQ(b.status, Status::converged);
  EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 2e-6 * std::abs(b.certificate.primal));
}

TEST_P(CoarseStartTest, IsAPointOfTheWholeProblem) {
  const WarmStart start = coarse_start_of(whole.problem);
  ASSERT_FALSE(start.empty());
  EXPECT_EQ(start.dual.size(), whole.problem.n_samples());
  EXPECT_TRUE(start.dual.allFinite());
  EXPECT_EQ(start.coef.cols(), static_cast<Index>(start.kernels.size()));
}

TEST_P(CoarseStartTest, SamplesAnswerWhereTheirSlopeMeetsThePredictions) {
  SampleTerms samples(whole.problem);
  Generator random{3};
  const Vector z = 2 * normal_vector(whole.problem.n_samples(), random);
  SampleTerms fresh = samples;
  const Vector rho = samples.answer(z);
  Vector slope(rho.size());
  fresh.value_and_gradient(rho, slope);
  for (Index i = 0; i < rho.size(); ++i) EXPECT_NEAR(slope(i), -z(i), 1e-6 * (1 + std::abs(z(i)))) << i;
}

INSTANTIATE_TEST_SUITE_P(Losses, CoarseStartTest, testing::ValuesIn(each_loss()),
                         [](const auto& info) { return label(info.param); });

TEST(CoarseStart, FewSamplesHaveNone) {
  const TestProblem small = make_problem_at(0.1, {"logistic"}, {"block1"}, {.n = 60, .m = 4, .seed = 1});
  EXPECT_TRUE(coarse_start_of(small.problem).empty());
}

TEST(CoarseStart, ClassMissingFromThePartIsNoError) {
  Generator random{2};
  Vector labels = Vector::Constant(450, 1.0);
  labels(20) = labels(21) = -1;  // between the blocks of the part
  const auto bank = bank_of(random_kernels(normal_matrix(450, 3, random), 4, random));
  const Problem problem(bank, labels, make_loss("logistic"), make_regularizer("block1", {.alpha = 0.01}));
  EXPECT_TRUE(coarse_start_of(problem).empty());
  EXPECT_EQ(solve(problem).status, Status::converged);
}

}  // namespace
