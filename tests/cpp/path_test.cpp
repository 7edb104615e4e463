// Paths: every point is certified by the referee, warm starts change nothing but the time.
#include "spicymkl/selection/path.hpp"

#include <gtest/gtest.h>

#include "selection/path_trail.hpp"
#include "solver/outer/recover.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace spicymkl {
namespace {

using testing_support::each_loss;
using testing_support::each_regularizer;
using testing_support::expect_refused;
using testing_support::LossCase;
using testing_support::ProblemSpec;
using testing_support::RegularizerCase;
using testing_support::TestProblem;

RegularizerFamily family_of(const RegularizerCase& regularizer) {
  return [regularizer](double alpha) { return regularizer.with_alpha(alpha).make(); };
}

/// The gap of a point by the referee, who knows nothing of the library.
testing_support::RefereeVerdict judge(TestProblem& test, const PathPoint& point) {
  test.naive.regularizer = test.naive.regularizer.with_alpha(point.alpha);
  return referee_verdict(test.naive, point.result.expansion, point.result.certificate.dual);
}

struct PathCase {
  LossCase loss;
  RegularizerCase regularizer;
};

void PrintTo(const PathCase& c, std::ostream* out) { *out << label(c.loss) << "_" << label(c.regularizer); }

class PathOf : public testing::TestWithParam<PathCase> {};

std::vector<PathCase> each_case() {
  std::vector<PathCase> cases;
  for (const LossCase& loss : each_loss())
    for (const RegularizerCase& regularizer : each_regularizer()) cases.push_back({loss, regularizer});
  return cases;
}

/// Enough kernels for candidates where the penalty is sparse.
constexpr ProblemSpec kManyKernels{.n = 24, .m = 50, .seed = 3};

TEST_P(PathOf, EveryPointIsCertifiedAndWarmIsCold) {
  const auto& [loss, regularizer] = GetParam();
  TestProblem test = testing_support::make_problem(loss, regularizer, kManyKernels);
  PathSettings settings;
  settings.solver.tol = 1e-4;
  const Path path = solve_path(test.problem, family_of(regularizer), log_spaced_alphas(6, 0.05), settings);
  ASSERT_TRUE(path.complete);
  ASSERT_EQ(path.points.size(), 6u);
  for (const PathPoint& point : path.points) {
    SCOPED_TRACE(point.alpha);
    EXPECT_EQ(point.result.status, Status::converged);
    const auto verdict = judge(test, point);
    EXPECT_LE(verdict.gap, 1.001e-4);
    EXPECT_NEAR(verdict.primal, point.result.certificate.primal, 1e-8 * verdict.primal);
    const Result cold = solve(test.problem.with(regularizer.with_alpha(point.alpha).make()), settings.solver);
    // Both are within the tolerance of the one optimum.
    EXPECT_NEAR(point.result.certificate.primal, cold.certificate.primal, 1e-4 * cold.certificate.primal);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, PathOf, testing::ValuesIn(each_case()), testing::PrintToStringParamName());

TEST(Path, SelectsNothingAtAlphaMaxAndSomethingBelow) {
  for (const RegularizerCase& regularizer : {RegularizerCase{"block1"}, RegularizerCase{"elasticnet", 1, 0.5}}) {
    const TestProblem test = testing_support::make_problem({"logistic"}, regularizer, kManyKernels);
    PathSettings settings;
    settings.solver.tol = 1e-8;
    const AlphaGrid grid{{1.0001, 1, 0.98, 0.5}, true};
    const Path path = solve_path(test.problem, family_of(regularizer), grid, settings);
    EXPECT_DOUBLE_EQ(path.alpha_max, alpha_max(test.problem));
    EXPECT_TRUE(path.points[0].result.expansion.kernels.empty());
    EXPECT_TRUE(path.points[1].result.expansion.kernels.empty());
    EXPECT_FALSE(path.points[2].result.expansion.kernels.empty());
    EXPECT_LT(path.points[2].result.certificate.primal, path.points[1].result.certificate.primal);
  }
}

TEST(Path, TheOptimumFallsWithAlpha) {
  const TestProblem test = testing_support::make_problem({"hinge"}, {"block1"}, kManyKernels);
  const Path path = solve_path(test.problem, family_of({"block1"}), log_spaced_alphas(20, 0.01), {});
  for (std::size_t p = 1; p < path.points.size(); ++p) {
    EXPECT_LT(path.points[p].alpha, path.points[p - 1].alpha);
    EXPECT_LE(path.points[p].result.certificate.dual_objective, path.points[p - 1].result.certificate.primal);
  }
}

TEST(Path, KernelsWithinTheCandidatesAndWithoutGiveTheSameOptimum) {
  const TestProblem test = testing_support::make_problem({"logistic"}, {"block1"}, {.n = 30, .m = 120, .seed = 9});
  PathSettings candidates, whole;
  candidates.solver.tol = whole.solver.tol = 1e-6;
  whole.solver.solver = SolverKind::spicy;  // point by point over all kernels
  const AlphaGrid grid = log_spaced_alphas(25, 0.01);
  const Path quick = solve_path(test.problem, family_of({"block1"}), grid, candidates);
  const Path plain = solve_path(test.problem, family_of({"block1"}), grid, whole);
  for (std::size_t p = 0; p < quick.points.size(); ++p)
    EXPECT_NEAR(quick.points[p].result.certificate.primal, plain.points[p].result.certificate.primal,
                1e-6 * plain.points[p].result.certificate.primal);
}

TEST(PathWalk, GivesThePointsOfThePathAFewAtATime) {
  for (const LossCase& loss : {LossCase{"logistic"}, LossCase{"hinge"}})
    for (const RegularizerCase& regularizer : {RegularizerCase{"block1"}, RegularizerCase{"uniform"}}) {
      const TestProblem test = testing_support::make_problem(loss, regularizer, kManyKernels);
      PathSettings settings;
      settings.solver.tol = 1e-6;
      const AlphaGrid grid = log_spaced_alphas(7, 0.02);
      const Path path = solve_path(test.problem, family_of(regularizer), grid, settings);
      PathWalk walk(test.problem, family_of(regularizer), grid, settings);
      std::vector<PathPoint> points;
      for (const Index expected : {3, 3, 1}) {
        EXPECT_FALSE(walk.finished());
        std::vector<PathPoint> next = walk.next(3);
        ASSERT_EQ(std::ssize(next), expected);
        points.insert(points.end(), next.begin(), next.end());
      }
      EXPECT_TRUE(walk.finished());
      EXPECT_FALSE(walk.stopped());
      EXPECT_TRUE(walk.next(3).empty());
      for (std::size_t p = 0; p < points.size(); ++p) {
        const Certificate &one = points[p].result.certificate, &other = path.points[p].result.certificate;
        EXPECT_EQ(points[p].alpha, path.points[p].alpha);
        EXPECT_LE(one.relative_gap, 1e-6);
        EXPECT_NEAR(one.primal, other.primal, 1e-6 * other.primal);
      }
    }
}

TEST(PathTrail, StartsNearerToTheNextPointThanTheLastOneIs) {
  const TestProblem test = testing_support::make_problem({"logistic"}, {"block1"}, kManyKernels);
  const double largest = alpha_max(test.problem);
  const auto at = [&](double ratio) { return test.problem.with(family_of({"block1"})(ratio * largest)); };
  PathTrail trail;
  for (const double ratio : {0.4, 0.32}) trail.add(ratio * largest, solve(at(ratio), {.tol = 1e-8}).warm_start);
  const Problem next = at(0.256);
  const WarmStart start = trail.start_for(next, 0.256 * largest);
  const double optimum = solve(next, {.tol = 1e-8}).certificate.primal;
  const auto excess = [&](const WarmStart& from) {
    return primal_value(next, first_model(next, from)).value - optimum;
  };
  EXPECT_LT(excess(start), 0.5 * excess(trail.last()));
}

TEST(PathTrail, HasTheLastPointWhereThereIsNoLine) {
  const TestProblem test = testing_support::make_problem({"hinge"}, {"block1"}, kManyKernels);
  PathTrail trail;
  EXPECT_TRUE(trail.start_for(test.problem, 1).empty());
  for (const double ratio : {0.4, 0.2}) {
    const double alpha = ratio * alpha_max(test.problem);
    trail.add(alpha, solve(test.problem.with(family_of({"block1"})(alpha)), {}).warm_start);
    EXPECT_EQ(trail.start_for(test.problem, alpha / 2).dual, trail.last().dual);
  }
}

TEST(Path, StopsWhenAskedAndKeepsWhatIsDone) {
  const TestProblem test = testing_support::make_problem({"logistic"}, {"block1"}, kManyKernels);
  PathSettings settings;
  int seen = 0;
  settings.callback = [&](const PathPoint&) { return ++seen < 3; };
  const Path refused = solve_path(test.problem, family_of({"block1"}), log_spaced_alphas(10, 0.1), settings);
  EXPECT_FALSE(refused.complete);
  EXPECT_EQ(refused.points.size(), 3u);

  settings.callback = nullptr;
  for (const RegularizerCase& regularizer : {RegularizerCase{"block1"}, RegularizerCase{"uniform"}}) {
    int asked = 0;
    settings.solver.watch = Watch::asking([&] { return ++asked > 60; });
    const Path stopped = solve_path(test.problem, family_of(regularizer), log_spaced_alphas(60, 0.001), settings);
    EXPECT_FALSE(stopped.complete);
    EXPECT_LT(stopped.points.size(), 60u);
    for (const PathPoint& point : stopped.points) EXPECT_EQ(point.result.status, Status::converged);
  }
}

TEST(Path, ApproximatedKernelsAreCertifiedOnTheExactOnes) {
  testing_support::Generator random(4);
  const testing_support::Samples samples = testing_support::random_samples(60, random);
  auto rows = std::make_shared<Samples>();
  rows->values = samples.X;
  for (Index j = 0; j < samples.X.cols(); ++j) rows->columns.push_back(std::string(1, static_cast<char>('a' + j)));
  std::vector<FittedKernel> kernels;
  for (Index j = 0; j < samples.X.cols(); ++j)
    for (const double width : {0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0})
      kernels.push_back(
          FittedKernel::fit({"gaussian", {{"width", width}}, {j}, Normalize::trace, 0, "", ""}, *rows, 1));
  const auto coarse = make_bank(rows, kernels, {.rank_tolerance = 1e-3, .threads = 1});
  ASSERT_FALSE(coarse->exact());
  const auto exact = make_exact_bank(rows, kernels, 1);
  const Problem problem(coarse, samples.classes, make_loss("logistic"), make_regularizer("block1", {}));
  PathSettings settings;
  settings.solver.tol = 1e-5;
  const Path path = solve_path(problem, family_of({"block1"}), log_spaced_alphas(8, 0.05), settings, exact);
  for (const PathPoint& point : path.points) {
    const Problem truth = problem.with(exact, make_regularizer("block1", {.alpha = point.alpha}));
    EXPECT_EQ(point.result.status, Status::converged);
    EXPECT_LE(certify(truth, point.result.expansion, dual_bound(truth, point.result.certificate.dual)).relative_gap,
              1.0001e-5);
  }
}

TEST(ManyForms, AreTheFormsOfEachVector) {
  testing_support::Generator random(8);
  const testing_support::Samples samples = testing_support::random_samples(40, random);
  const auto bank = testing_support::bank_of(testing_support::random_kernels(samples.X, 9, random));
  const Matrix V = testing_support::normal_matrix(40, 5, random);
  const auto subset = bank->subset({7, 2, 5});
  for (const KernelBank* each : {static_cast<const KernelBank*>(bank.get()), subset.get()}) {
    Matrix many(each->n_kernels(), 5);
    each->quadratic_forms(all_kernels(each->n_kernels()), V, many);
    for (Index p = 0; p < 5; ++p) {
      Vector one(each->n_kernels());
      each->quadratic_forms(all_kernels(each->n_kernels()), V.col(p), one);
      EXPECT_LE((many.col(p) - one).norm(), 1e-12 * one.norm());
    }
  }
}

TEST(AlphaGrid, IsLogSpacedFromAlphaMaxDown) {
  const AlphaGrid grid = log_spaced_alphas(5, 0.0001);
  ASSERT_EQ(grid.values.size(), 5u);
  const std::vector<double> alphas = grid.alphas(7);
  EXPECT_DOUBLE_EQ(alphas.front(), 7);
  EXPECT_DOUBLE_EQ(alphas.back(), 7e-4);
  for (std::size_t k = 1; k < alphas.size(); ++k) EXPECT_NEAR(alphas[k] / alphas[k - 1], 0.1, 1e-12);
  EXPECT_EQ(log_spaced_alphas(1, 0.5).values, std::vector<double>{1});
}

TEST(AlphaGrid, TakesNumbersOrMultiplesInAnyOrder) {
  const AlphaGrid relative = parse_alphas({"0.1max", "max", "0.5max", "0.1max"});
  EXPECT_TRUE(relative.relative);
  EXPECT_EQ(relative.values, (std::vector<double>{1, 0.5, 0.1}));
  EXPECT_EQ(relative.text(1), "0.5max");
  const AlphaGrid absolute = parse_alphas({"0.25", "3"});
  EXPECT_FALSE(absolute.relative);
  EXPECT_EQ(absolute.alphas(100), (std::vector<double>{3, 0.25}));
}

TEST(AlphaGrid, RefusesWhatIsNoGrid) {
  expect_refused([] { parse_alphas({"0.1max", "2"}); }, "all as numbers");
  expect_refused([] { parse_alphas({"0"}); }, "alpha is '0'");
  expect_refused([] { parse_alphas({}); }, "no alpha");
  expect_refused([] { absolute_alphas({1, -1}); }, "alpha is -1");
  expect_refused([] { log_spaced_alphas(0, 0.1); }, "number of alphas is 0");
  expect_refused([] { log_spaced_alphas(5, 1.5); }, "ratio is 1.5");
}

}  // namespace
}  // namespace spicymkl
