// Several classes, several targets, survival and covariates: certified answers, judged by their definitions.
#include <gtest/gtest.h>

#include "problem/quick_bound.hpp"
#include "solver/driver.hpp"
#include "solver/outer/recover.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/joint_problems.hpp"

namespace {

using namespace testing_support;

class JointSolverTest : public testing::TestWithParam<std::tuple<JointCase, double>> {};

std::string case_name(const testing::TestParamInfo<std::tuple<JointCase, double>>& info) {
  const auto& [what, fraction] = info.param;
  return what.loss + "_" + what.regularizer.name + "_k" + std::to_string(what.outputs) + "_c" +
         std::to_string(what.covariates) + (what.intercept ? "_b" : "") + (what.weighted ? "_w" : "") + "_s" +
         std::to_string(what.seed) + "_" + std::to_string(static_cast<int>(1000 * fraction));
}

TEST_P(JointSolverTest, ReachesACertifiedGap) {
  const auto& [what, fraction] = GetParam();
  const JointProblem test = make_joint_problem_at(fraction, what);
  spicymkl::Settings settings;
  settings.tol = 1e-6;
  const spicymkl::Result result = spicymkl::solve(test.problem, settings);
  EXPECT_EQ(result.status, spicymkl::Status::converged) << result.message;
  EXPECT_LE(result.certificate.relative_gap, 1e-6);
  EXPECT_NEAR(naive_primal(test, result.expansion), result.certificate.primal, 1e-9 * result.certificate.primal);
  const Vector& rho = result.certificate.dual;
  EXPECT_NEAR(naive_dual(test, rho, naive_conjugate(test, rho)), result.certificate.dual_objective,
              1e-8 * result.certificate.primal);
  EXPECT_LE(spicymkl::optimality_residual(test.problem, result.expansion), 1e-2);
}

std::vector<std::tuple<JointCase, double>> cases() {
  std::vector<std::tuple<JointCase, double>> all;
  std::uint64_t seed = 10;
  for (const char* loss : {"multinomial", "cox", "squared", "huber", "epsilon_insensitive"})
    for (const RegularizerCase& regularizer : {RegularizerCase{"block1"}, RegularizerCase{"elasticnet"},
                                               RegularizerCase{"blockq"}, RegularizerCase{"uniform"}})
      for (const double fraction : {0.5, 0.05, 0.005})
        for (const bool special : {false, true}) {
          JointCase what{.loss = loss, .regularizer = regularizer, .outputs = 3};
          what.intercept = !special || std::string(loss) == "cox";
          what.weighted = special;
          what.seed = ++seed;
          all.emplace_back(what, fraction);
        }
  for (const char* loss : {"multinomial", "cox", "squared", "huber"})
    for (const double fraction : {0.5, 0.05}) {
      JointCase what{.loss = loss, .regularizer = {"block1"}, .outputs = 2, .covariates = 2, .seed = ++seed};
      all.emplace_back(what, fraction);
    }
  for (const char* loss : {"squared", "quantile"}) {  // one output, covariates
    JointCase what{.loss = loss, .regularizer = {"block1"}, .outputs = 1, .covariates = 2, .seed = ++seed};
    all.emplace_back(what, 0.1);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, JointSolverTest, testing::ValuesIn(cases()), case_name);

// A start may be so bad that no method gets on from there: then there is none.
TEST(BadStart, IsNotTheEnd) {
  using spicymkl::Method;
  for (const std::uint64_t seed : {36, 37, 38}) {
    const JointProblem test = make_joint_problem_at(0.3, {.n = 40, .m = 4, .seed = seed});
    Generator random(seed + 100);
    spicymkl::Expansion far = spicymkl::constant_expansion(test.problem);
    far.kernels = {0, 1, 2, 3};
    far.scale = 1e5 * normal_vector(4, random).cwiseAbs();
    for (const std::vector<Method>& methods : {std::vector{Method::kkt, Method::spicy}, {Method::spicy}}) {
      const spicymkl::Result result =
          spicymkl::solve_as({.methods = methods}, test.problem, {.tol = 1e-4}, spicymkl::start_at(far));
      EXPECT_EQ(result.status, spicymkl::Status::converged) << result.certificate.relative_gap;
    }
  }
}

// So many that Newton's method on the weights takes a few combinations of them for all.
TEST(ManyTargets, ReachASmallGapByFewCombinations) {
  for (const double fraction : {0.3, 0.03}) {
    JointCase what{.loss = "squared", .regularizer = {"block1"}, .n = 40, .m = 30, .outputs = 60, .covariates = 1};
    const JointProblem test = make_joint_problem_at(fraction, what);
    spicymkl::Settings settings;
    settings.tol = 1e-6;
    const spicymkl::Result result = spicymkl::solve(test.problem, settings);
    EXPECT_LE(result.certificate.relative_gap, 1e-6) << result.message;
    EXPECT_EQ(result.stages.back().name, "weights");
    EXPECT_LE(result.newton_steps, 30);
    EXPECT_NEAR(naive_primal(test, result.expansion), result.certificate.primal, 1e-9 * result.certificate.primal);
    const Vector& rho = result.certificate.dual;
    EXPECT_NEAR(naive_dual(test, rho, naive_conjugate(test, rho)), result.certificate.dual_objective,
                1e-8 * result.certificate.primal);
  }
}

}  // namespace
