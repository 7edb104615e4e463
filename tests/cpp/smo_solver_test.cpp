// One combined kernel by pairs of dual values, against Newton's method and the optimality conditions.
#include "solver/inner/smo_solver.hpp"

#include <gtest/gtest.h>

#include "solver/outer/onestep.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

struct SmoSolverCase {
  LossCase loss;
  bool fit_intercept, weighted;
};

std::vector<SmoSolverCase> cases() {
  std::vector<SmoSolverCase> all;
  for (const LossCase& loss : each_loss())
    for (const bool fit_intercept : {true, false})
      for (const bool weighted : {false, true}) all.push_back({loss, fit_intercept, weighted});
  return all;
}

class SmoSolverTest : public testing::TestWithParam<SmoSolverCase> {
 protected:
  void SetUp() override {
    if (!test.problem.loss().has_svm_dual()) GTEST_SKIP() << "not a loss for this solver";
  }

  ProblemSpec spec{
      .n = 60, .m = 3, .seed = 4, .fit_intercept = GetParam().fit_intercept, .weighted = GetParam().weighted};
  TestProblem test = make_problem(GetParam().loss, {"block1"}, spec);
  std::vector<Index> kernels = {0, 2};
  Vector weights{{3.0, 0.7}};
  Matrix K = 3.0 * test.naive.kernels[0] + 0.7 * test.naive.kernels[2];
  Vector start = test.problem.feasible(test.problem.best_constant().dual);
};

TEST_P(SmoSolverTest, FindsTheOptimumThatNewtonFinds) {
  const double scale = test.problem.conjugate_value(start);
  SmoSolver svm(test.problem, kernels, weights, start);
  ASSERT_TRUE(svm.minimise(1e-9 * std::abs(scale), 1000000));
  const Problem one = test.problem.with(bank_of({K}), make_regularizer("uniform", {}));
  const Result newton = solve_onestep(one, {.tol = 1e-10});
  EXPECT_NEAR(-svm.value(), newton.certificate.primal, 1e-8 * std::abs(scale));
}

TEST_P(SmoSolverTest, StaysFeasibleAndKnowsItsValue) {
  SmoSolver svm(test.problem, kernels, weights, start);
  static_cast<void>(svm.minimise(1e-6, 500));
  EXPECT_TRUE(std::isfinite(test.problem.conjugate_value(svm.rho())));
  if (spec.fit_intercept) {
    EXPECT_NEAR(svm.rho().sum(), 0, 1e-12 * svm.rho().lpNorm<1>());
  }
  const double value = 0.5 * svm.rho().dot(K * svm.rho()) + test.problem.conjugate_value(svm.rho());
  EXPECT_NEAR(svm.value(), value, 1e-10 * std::abs(value));
}

TEST_P(SmoSolverTest, FreeSamplesAndTheirHessian) {
  SmoSolver svm(test.problem, kernels, weights, start);
  ASSERT_TRUE(svm.minimise(1e-6 * std::abs(test.problem.conjugate_value(start)), 1000000));
  const std::vector<Index> free = svm.free_samples();
  ASSERT_FALSE(free.empty());
  Matrix H = svm.hessian(free) - Matrix(K(free, free));
  const double own = H.diagonal().minCoeff();
  EXPECT_GE(own, -1e-12);  // only the curvature of each conjugate is left
  H.diagonal().setZero();
  EXPECT_LT(H.norm(), 1e-12 * K.norm());
}

TEST_P(SmoSolverTest, EndsWhenToldTo) {
  SmoSolver few(test.problem, kernels, weights, start);
  EXPECT_FALSE(few.minimise(1e-12, 3));
  SmoSolver exact(test.problem, kernels, weights, start);
  EXPECT_FALSE(exact.minimise(1e-300, 1000000));  // no such accuracy in double precision
  SmoSolver stopped(test.problem, kernels, weights, start);
  EXPECT_FALSE(stopped.minimise(1e-12, 1024, [] { return true; }));
}

INSTANTIATE_TEST_SUITE_P(Losses, SmoSolverTest, testing::ValuesIn(cases()), [](const auto& info) {
  return label(info.param.loss) + (info.param.fit_intercept ? "" : "_no_intercept") +
         (info.param.weighted ? "_weighted" : "");
});

}  // namespace
