// Gap-safe screening never removes a kernel that the optimum uses, and its bounds hold for the kernels it did not read.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/driver.hpp"
#include "solver/outer/screening.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

/// As planned, with all kernels at every step.
Result solve_over_all(const Problem& problem, const Settings& settings) {
  Plan plan = choose(problem, settings, false);
  plan.working_set = false;
  return solve_as(plan, problem, settings);
}

class ScreeningTest : public testing::TestWithParam<std::tuple<LossCase, RegularizerCase>> {
 protected:
  TestProblem test =
      make_problem_at(0.1, std::get<0>(GetParam()), std::get<1>(GetParam()), {.n = 40, .m = 90, .seed = 3});
};

TEST_P(ScreeningTest, RemovesOnlyKernelsThatTheOptimumDoesWithout) {
  const Result best = solve_over_all(test.problem, {.tol = 1e-9});
  ASSERT_EQ(best.status, Status::converged) << best.message;
  const Vector start = test.problem.best_constant().dual;
  Index most = 0;
  for (const double part : {0.5, 0.9, 0.99, 0.999, 1.0}) {
    Screening screening(test.problem, true);
    const DualBound bound = screening.bound_by((1 - part) * start + part * best.certificate.dual);
    screening.update(bound, best.certificate.primal);
    for (std::size_t k = 0; k < best.expansion.kernels.size(); ++k) {
      const bool used = best.certificate.norms(static_cast<Index>(k)) > 1e-6 * best.certificate.norms.maxCoeff();
      EXPECT_FALSE(used && screening.zero(best.expansion.kernels[k])) << best.expansion.kernels[k];
    }
    most = std::max(most, screening.n_zero());
  }
  const bool can = test.problem.loss().conjugate_convexity() > 0 && test.problem.regularizer().threshold() > 0;
  EXPECT_EQ(most > 0, can) << "at the optimum the gap is small enough to tell";
}

TEST_P(ScreeningTest, BoundsHoldForKernelsThatWereNotRead) {
  const Result best = solve_over_all(test.problem, {.tol = 1e-9});
  Screening screening(test.problem, true);
  screening.update(screening.bound_by(best.certificate.dual), best.certificate.primal);
  Generator random(11);
  for (const double size : {1e-6, 1e-3, 1e-1}) {
    const Vector moved =
        best.certificate.dual + size * best.certificate.dual.norm() * normal_vector(test.problem.n_samples(), random);
    const DualBound lazy = screening.bound_by(moved), whole = dual_bound(test.problem, moved);
    for (Index m = 0; m < test.problem.n_kernels(); ++m)
      EXPECT_GE(lazy.norms()(m), whole.norms()(m) * (1 - 1e-12)) << m << " is bounded from above";
    EXPECT_NEAR(lazy.value(), whole.value(), 1e-9 * std::abs(whole.value())) << "what was not read does not matter";
  }
}

TEST_P(ScreeningTest, WorkingSetAndScreeningChangeNothing) {
  Plan plan = choose(test.problem, {}, false);
  if (!plan.working_set) GTEST_SKIP() << "its solutions are not sparse";
  for (const double tol : {1e-2, 1e-6}) {
    const Result plain = solve_over_all(test.problem, {.tol = tol});
    plan.screening = false;
    const Result set = solve_as(plan, test.problem, {.tol = tol});
    plan.screening = true;
    const Result both = solve_as(plan, test.problem, {.tol = tol});
    for (const Result* result : {&plain, &set, &both}) {
      EXPECT_EQ(result->status, Status::converged) << result->message;
      EXPECT_NEAR(result->certificate.primal, plain.certificate.primal, 1.01 * tol * plain.certificate.primal);
      EXPECT_LE(
          certify(test.problem, result->expansion, dual_bound(test.problem, result->certificate.dual)).relative_gap,
          tol);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, ScreeningTest,
                         testing::Combine(testing::ValuesIn(each_loss()), testing::ValuesIn(each_regularizer())),
                         [](const auto& info) {
                           return label(std::get<0>(info.param)) + "_" + label(std::get<1>(info.param));
                         });

}  // namespace
