// One combined kernel by Newton steps on the free samples, against pairs of dual values and the optimality conditions.
#include "solver/inner/svm_newton.hpp"

#include <gtest/gtest.h>

#include "device/make_device_bank.hpp"
#include "solver/inner/smo_solver.hpp"
#include "solver/inner/weight_hessian.hpp"
#include "support/devices.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace ::testing_support;

struct SvmNewtonCase {
  LossCase loss;
  bool fit_intercept, weighted, awkward;
};

std::vector<SvmNewtonCase> svm_cases() {
  std::vector<SvmNewtonCase> all;
  for (const LossCase& loss : each_loss())
    for (const bool fit_intercept : {true, false})
      for (const bool weighted : {false, true})
        for (const bool awkward : {false, true}) all.push_back({loss, fit_intercept, weighted, awkward});
  return all;
}

class SvmNewtonTest : public testing::TestWithParam<SvmNewtonCase> {
 protected:
  void SetUp() override {
    if (!test.problem.loss().has_svm_dual()) GTEST_SKIP() << "not a loss for this solver";
  }

  ProblemSpec spec{.n = 60,
                   .m = 8,
                   .seed = 4,
                   .fit_intercept = GetParam().fit_intercept,
                   .weighted = GetParam().weighted,
                   .awkward = GetParam().awkward};
  TestProblem test = make_problem(GetParam().loss, {"block1"}, spec);
  Problem on_device =
      test.problem.with(spicymkl::copy_to(spicymkl::testing_support::open_host_device(), *bank_of(test.naive.kernels)),
                        test.problem.shared_regularizer());
  std::vector<Index> kernels = {0, 2};
  Vector weights{{3.0, 0.7}};
  Matrix K = 3.0 * test.naive.kernels[0] + 0.7 * test.naive.kernels[2];
  Vector start = test.problem.feasible(test.problem.best_constant().dual);
  double unit = std::abs(test.problem.conjugate_value(start));
};

TEST_P(SvmNewtonTest, FindsTheOptimumThatPairsFind) {
  SvmNewton newton(on_device, kernels, weights, start);
  SmoSolver pairs(test.problem, kernels, weights, start);
  ASSERT_TRUE(newton.minimise(1e-9 * unit, {}));
  ASSERT_TRUE(pairs.minimise(1e-9 * unit, 1000000));
  EXPECT_NEAR(newton.value(), pairs.value(), 2e-9 * unit);
}

TEST_P(SvmNewtonTest, StaysFeasibleAndKnowsItsValue) {
  SvmNewton newton(on_device, kernels, weights, start);
  static_cast<void>(newton.minimise(1e-3 * unit, {}));
  EXPECT_TRUE(std::isfinite(test.problem.conjugate_value(newton.rho())));
  if (spec.fit_intercept) {
    EXPECT_NEAR(newton.rho().sum(), 0, 1e-12 * newton.rho().lpNorm<1>());
  }
  const double value = 0.5 * newton.rho().dot(K * newton.rho()) + test.problem.conjugate_value(newton.rho());
  EXPECT_NEAR(newton.value(), value, 1e-10 * unit);
}

TEST_P(SvmNewtonTest, HessianOverWeightsAsByPairs) {
  SvmNewton newton(on_device, kernels, weights, start);
  ASSERT_TRUE(newton.minimise(1e-9 * unit, {}));
  const std::vector<Index> free = newton.free_samples();
  if (free.size() < 2) GTEST_SKIP() << "all samples are at their bounds";
  const Matrix images = Matrix::NullaryExpr(60, 3, [](Index i, Index j) { return std::sin(1.0 + i * (j + 1)); });
  Matrix H;
  ASSERT_TRUE(newton.value_hessian(images, H));
  // What Z is there to invert: the Hessian over the free samples, bordered where there is an intercept.
  Matrix A = K(free, free);
  for (std::size_t k = 0; k < free.size(); ++k) {
    const Index i = free[k];
    const double s = test.problem.sample_weights()(i);
    A(k, k) += test.problem.loss().smooth_conjugate(test.problem.labels()(i), newton.rho()(i) / s, 0).d_rho_rho / s;
  }
  Matrix U = images(free, Eigen::all);
  ASSERT_TRUE(weight_hessian_factor(A, U, spec.fit_intercept, test.problem.bank()));
  const Matrix expected = U.transpose() * U;
  EXPECT_LT((H - expected).norm(), 1e-4 * expected.norm());
}

TEST_P(SvmNewtonTest, EndsWhenToldTo) {
  SvmNewton exact(on_device, kernels, weights, start);
  EXPECT_FALSE(exact.minimise(-unit, {}));  // no gap is below 0
  SvmNewton stopped(on_device, kernels, weights, start);
  EXPECT_FALSE(stopped.minimise(-unit, [] { return true; }));
}

INSTANTIATE_TEST_SUITE_P(Losses, SvmNewtonTest, testing::ValuesIn(svm_cases()), [](const auto& info) {
  return label(info.param.loss) + (info.param.fit_intercept ? "" : "_no_intercept") +
         (info.param.weighted ? "_weighted" : "") + (info.param.awkward ? "_awkward" : "");
});

}  // namespace
