// 500 random problems of the losses and constraints that came with several outputs, survival and covariates: every one
// reaches a gap of 1e-6, and the referee finds it, too.
#include <gtest/gtest.h>

#include "spicymkl/solver/solve.hpp"
#include "support/joint_problems.hpp"

namespace {

using namespace testing_support;

constexpr int kRandomProblems = 525, kAtOnce = 25;  // some are left out, and so many share a test

/// A loss of several outputs or of survival, or one of a single output with covariates.
JointCase random_joint_case(std::uint64_t seed) {
  static const std::vector<std::string> joint = {"multinomial", "cox", "squared", "huber", "epsilon_insensitive"};
  static const std::vector<std::string> single = {"logistic", "hinge", "squared_hinge", "squared", "quantile"};
  Generator random(seed);
  const auto draw = [&](Index first, Index last) { return std::uniform_int_distribution<Index>(first, last)(random); };
  const auto one_of = [&](const auto& choices) {
    return choices[static_cast<std::size_t>(draw(0, std::ssize(choices) - 1))];
  };
  const bool several = draw(0, 4) > 0;
  JointCase what;
  what.loss = one_of(several ? joint : single);
  what.regularizer = one_of(each_regularizer());
  what.n = draw(16, 32);
  what.m = draw(2, 9);
  what.outputs = several ? draw(2, 5) : 1;
  what.intercept = draw(0, 2) > 0;
  what.weighted = draw(0, 1) > 0;
  what.covariates = several ? std::max<Index>(0, draw(-2, 2)) : draw(1, 2);
  what.seed = seed;
  return what;
}

/// Classes that covariates separate leave nothing to kernels, and no optimum to a smooth loss.
bool covariates_say_it_all(JointCase what) {
  what.regularizer = {"block1"};
  return !(alpha_max(make_joint_problem(what).problem) > 1e-6);
}

class JointRandomTest : public testing::TestWithParam<int> {};

TEST_P(JointRandomTest, ReachesACertifiedGap) {
  for (int k = GetParam(); k < GetParam() + kAtOnce; ++k) {
    const auto seed = static_cast<std::uint64_t>(5000 + k);
    const JointCase what = random_joint_case(seed);
    const double fraction = std::pow(10, -0.05 - 2.2 * (k % 7) / 6);  // of alpha_max: from 0.9 to 0.006
    SCOPED_TRACE(what.loss + " " + label(what.regularizer) + ", seed " + std::to_string(seed));
    if (covariates_say_it_all(what)) continue;
    const JointProblem test = make_joint_problem_at(fraction, what);
    spicymkl::Settings settings;
    settings.tol = 1e-6;
    const spicymkl::Result result = spicymkl::solve(test.problem, settings);
    EXPECT_EQ(result.status, spicymkl::Status::converged) << result.message;
    const Vector& rho = result.certificate.dual;
    const double primal = naive_primal(test, result.expansion),
                 dual = naive_dual(test, rho, naive_conjugate(test, rho));
    EXPECT_NEAR(primal, result.certificate.primal, 1e-9 * primal);
    EXPECT_LE(primal - dual, 1.01e-6 * primal);
    EXPECT_GE(primal - dual, -1e-9 * primal);
  }
}

INSTANTIATE_TEST_SUITE_P(All, JointRandomTest, testing::Range(0, kRandomProblems, kAtOnce));

}  // namespace
