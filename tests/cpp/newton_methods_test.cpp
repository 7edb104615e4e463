// Newton's methods beside the proximal loop, on the kernel weights and on the optimality conditions: the same answers,
// proved by the referee.
#include <gtest/gtest.h>

#include "solver/driver.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

struct MethodCase {
  Method method;
  LossCase loss;
  RegularizerCase penalty;
  double strength;
  ProblemSpec spec;
};

std::vector<MethodCase> cases() {
  std::vector<MethodCase> all;
  const RegularizerCase penalties[] = {{"block1"}, {"elasticnet"}, {"elasticnet", 1, 0.9}};
  for (const Method method : {Method::weights, Method::kkt})
    for (const LossCase& loss : each_loss())
      for (const RegularizerCase& penalty : penalties)
        for (const double strength : {0.5, 0.05, 0.002}) {
          all.push_back({method, loss, penalty, strength, {.n = 60, .m = 8, .seed = 7}});
          all.push_back({method,
                         loss,
                         penalty,
                         strength,
                         {.n = 50, .m = 9, .seed = 8, .fit_intercept = false, .weighted = true}});
          all.push_back({method, loss, penalty, strength, {.n = 40, .m = 12, .seed = 9, .awkward = true}});
        }
  return all;
}

class NewtonMethodsTest : public testing::TestWithParam<MethodCase> {
 protected:
  void SetUp() override {
    const ProblemOutline outline = outline_of(test.problem, false);
    const bool allowed = GetParam().method == Method::kkt ? outline.allows_kkt() : outline.allows_newton_on_weights();
    if (!allowed) GTEST_SKIP() << "not a problem for this method";
  }
  /// With the proximal loop to take over.
  Result with_successors(const Settings& settings, const WarmStart& start = {}) const {
    return solve_as({.methods = {GetParam().method, Method::spicy}}, test.problem, settings, start);
  }
  TestProblem test = make_problem_at(GetParam().strength, GetParam().loss, GetParam().penalty, GetParam().spec);
};

TEST_P(NewtonMethodsTest, ReachesTheObjectiveOfTheProximalLoop) {
  for (const double tol : {1e-2, 1e-6}) {
    SCOPED_TRACE(tol);
    const Result newton = with_successors({.tol = tol});
    EXPECT_EQ(newton.status, Status::converged) << newton.message;
    const RefereeVerdict verdict = referee_verdict(test.naive, newton.expansion, newton.certificate.dual);
    EXPECT_LE(verdict.gap, 1.0001 * tol);
    expect_gap_of(verdict, test.problem, newton);
    const Result loop = solve(test.problem, {.tol = tol, .solver = SolverKind::spicy});
    EXPECT_NEAR(newton.certificate.primal, loop.certificate.primal, 2 * tol * loop.certificate.primal);
  }
}

TEST_P(NewtonMethodsTest, ContinuesFromAWarmStart) {
  const Result first = with_successors({.tol = 1e-3});
  const Result second = with_successors({.tol = 1e-3}, first.warm_start);
  EXPECT_EQ(second.status, Status::converged) << second.message;
  EXPECT_LE(second.iterations, first.iterations);
}

TEST_P(NewtonMethodsTest, CanBeInterruptedAtAnyRound) {
  for (int stop_at = 0; stop_at < 3; ++stop_at) {
    Settings settings{.tol = 1e-12};
    settings.callback = [=](const Record& record) { return record.iteration < stop_at; };
    const Result result = with_successors(settings);
    EXPECT_TRUE(result.expansion.dual.allFinite());
    EXPECT_EQ(result.expansion.dual.size(), test.problem.n_samples());
    EXPECT_TRUE(std::isfinite(result.certificate.relative_gap));
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, NewtonMethodsTest, testing::ValuesIn(cases()), [](const auto& info) {
  const MethodCase& c = info.param;
  return std::string(to_string(c.method)) + "_" + label(c.loss) + "_" + label(c.penalty) + "_" +
         std::to_string(static_cast<int>(1000 * c.strength)) + "_" +
         (c.spec.awkward ? "awkward" : (c.spec.fit_intercept ? "plain" : "no_intercept"));
});

class KktTest : public testing::TestWithParam<LossCase> {};

TEST_P(KktTest, NeedsNoSuccessorAndFewSteps) {
  for (const double strength : {0.5, 0.05, 0.002})
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(strength);
      const TestProblem test =
          make_problem_at(strength, GetParam(), {"block1"}, {.n = 80, .m = 12, .weighted = weighted});
      const Result result = solve_as({.methods = {Method::kkt}}, test.problem, {.tol = 1e-9});
      EXPECT_EQ(result.status, Status::converged) << result.message;
      EXPECT_LE(referee_verdict(test.naive, result.expansion, result.certificate.dual).gap, 1.001e-9);
      EXPECT_LE(result.newton_steps, 25);
    }
}

INSTANTIATE_TEST_SUITE_P(Losses, KktTest, testing::Values(LossCase{"logistic"}, LossCase{"squared"}),
                         [](const auto& info) { return label(info.param); });

/// Enough samples that directions are found by conjugate gradients, to few digits.
TEST(Kkt, ManySamplesWithCovariates) {
  constexpr Index n = 560;
  Generator random(5);
  const Samples samples = random_samples(n, random);
  const auto bank = bank_of(random_kernels(samples.X, 6, random));
  Matrix covariates = normal_matrix(n, 3, random);
  covariates.col(0).array() += 3;
  for (const double alpha : {6.0, 1.0}) {
    const Problem problem(bank, samples.classes, make_loss("logistic"), make_regularizer("block1", {.alpha = alpha}),
                          {true, covariates});
    const Result result = solve_as({.methods = {Method::kkt}}, problem, {.tol = 1e-8});
    EXPECT_EQ(result.status, Status::converged) << result.message << ", " << alpha;
    EXPECT_FALSE(result.expansion.kernels.empty());
    EXPECT_LE(problem.constraints().violation(result.certificate.dual), 1e-9);
    const Result loop = solve(problem, {.tol = 1e-8, .solver = SolverKind::spicy});
    EXPECT_NEAR(result.certificate.primal, loop.certificate.primal, 2e-8 * loop.certificate.primal);
  }
}

/// A part of the rows may lack what a covariate tells apart: its column is 0 there, and determines nothing.
TEST(NewtonMethods, AColumnThatIsZeroSpoilsNothing) {
  Generator random(6);
  const Index n = 60;
  const Samples samples = random_samples(n, random);
  const auto bank = bank_of(random_kernels(samples.X, 6, random));
  Matrix covariates = normal_matrix(n, 3, random);
  covariates.col(1).setZero();
  const Problem problem(bank, samples.classes, make_loss("logistic"), make_regularizer("block1", {.alpha = 1}),
                        {false, covariates});
  for (const Method method : {Method::kkt, Method::spicy}) {
    const Result result = solve_as({.methods = {method}}, problem, {.tol = 1e-6});
    EXPECT_EQ(result.status, Status::converged) << to_string(method) << ": " << result.message;
  }
}

/// Who takes over needs a start inside the domain of the losses, which ρ may have left.
TEST(Kkt, HandsOnAPointInsideTheDomain) {
  int n_stuck = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const TestProblem test =
        make_problem_at(0.003, {"logistic"}, {"block1"}, {.n = 24, .m = 20, .seed = seed, .awkward = true});
    const Result stuck = solve_as({.methods = {Method::kkt}}, test.problem, {.tol = 1e-17});
    if (stuck.status != Status::stalled) continue;
    ++n_stuck;
    const Vector inside = stuck.warm_start.dual.cwiseProduct(test.problem.labels());
    EXPECT_GT(inside.minCoeff(), 0) << seed;
    EXPECT_LT(inside.maxCoeff(), 1) << seed;
    EXPECT_LE(std::abs(stuck.warm_start.dual.sum()), 1e-9) << seed;
  }
  EXPECT_GT(n_stuck, 0);
}

/// What few iterations reached is where the next ones begin.
TEST(Kkt, FewIterationsAtATimeGetThere) {
  const TestProblem test = make_problem_at(0.002, {"logistic"}, {"block1"}, {.n = 80, .m = 12});
  for (const bool working_set : {false, true}) {
    const Plan plan{.working_set = working_set, .methods = {Method::kkt, Method::spicy}};
    Result result = solve_as(plan, test.problem, {.tol = 1e-6, .max_iter = 1});
    for (int run = 0; run < 30 && result.status != Status::converged; ++run)
      result = solve_as(plan, test.problem, {.tol = 1e-6, .max_iter = 1}, result.warm_start);
    EXPECT_EQ(result.status, Status::converged) << result.certificate.relative_gap;
  }
}

TEST(Kkt, WithoutKernelsItGivesUp) {
  const Problem some = make_problem_at(0.5, {"logistic"}, {"block1"}, {.n = 30, .m = 3}).problem;
  const Problem none = some.with(some.bank().subset({}), some.shared_regularizer());
  const Result result = solve_as({.methods = {Method::kkt}}, none, {.tol = 1e-15});
  EXPECT_TRUE(result.expansion.kernels.empty());
  EXPECT_TRUE(std::isfinite(result.certificate.relative_gap));
}

TEST(Kkt, OnlyForSmoothLossesAndPenaltiesThatAreMultiplesOfNorms) {
  const ProblemSpec spec{.n = 20, .m = 3};
  const auto allowed = [&](const LossCase& loss, const RegularizerCase& penalty) {
    return outline_of(make_problem(loss, penalty, spec).problem, false).allows_kkt();
  };
  EXPECT_TRUE(allowed({"logistic"}, {"block1"}));
  EXPECT_TRUE(allowed({"squared"}, {"block1"}));
  for (const char* kinked : {"hinge", "squared_hinge", "huber", "quantile", "epsilon_insensitive"})
    EXPECT_FALSE(allowed({kinked}, {"block1"})) << kinked;
  for (const char* penalty : {"elasticnet", "blockq", "uniform"})
    EXPECT_FALSE(allowed({"logistic"}, {penalty})) << penalty;
}

}  // namespace
