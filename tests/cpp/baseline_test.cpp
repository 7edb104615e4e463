// The wrapper methods reach the optimum that our own solver proves, and stop, warm-start and refuse as it does.
#include "spicymkl/baseline/baselines.hpp"

#include <gtest/gtest.h>

#include "baseline/cutting_planes.hpp"
#include "baseline/level_projection.hpp"
#include "baseline/objective.hpp"
#include "baseline/simplex_qp.hpp"
#include "spicymkl/solver/registered_solver.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

constexpr std::string_view kBaselines[] = {"silp", "simplemkl", "levelmkl", "hessianmkl"};

/// Problem `number` of 20: few and many kernels, weak and strong penalties.
TestProblem problem_number(int number) {
  constexpr std::pair<Index, Index> kSizes[] = {{30, 8}, {60, 30}, {40, 100}, {120, 20}, {80, 60}};
  constexpr double kFractions[] = {0.5, 0.2, 0.05, 0.02};
  const auto [n, m] = kSizes[number % 5];
  return make_problem_at(kFractions[number / 5], {"hinge"}, {"block1"},
                         {n, m, 300 + static_cast<std::uint64_t>(number)});
}

Settings settings_for(std::string_view solver, double tol) {
  register_baselines();
  Settings settings;
  choose_solver(solver, settings);
  settings.tol = tol;
  settings.max_iter = 3000;
  return settings;
}

/// Minimum of Σℓ + (C̃/2)(Σ‖f_m‖)²: with C̃ = alpha/S and S = Σ‖f_m*‖ it is P* − alpha·S/2.
double squared_optimum(const Problem& problem) {
  const Result best = solve(problem, settings_for("auto", 1e-8));
  EXPECT_EQ(best.status, Status::converged);
  return best.certificate.primal - problem.regularizer().alpha() * best.certificate.norms.sum() / 2;
}

double lowest_primal(const History& history) {
  double lowest = HUGE_VAL;
  for (const Record& record : history) lowest = std::min(lowest, record.primal);
  return lowest;
}

void expect_honest(const TestProblem& test, const Result& result) {
  const RefereeVerdict verdict = referee_verdict(test.naive, result.expansion, result.certificate.dual);
  EXPECT_NEAR(result.certificate.primal, verdict.primal, 1e-9 * verdict.primal);
  EXPECT_NEAR(result.certificate.relative_gap, verdict.gap, 1e-9);
}

TEST(WeightObjective, SvmsBecomeAsAccurateAsTheyCanBe) {
  const TestProblem test = problem_number(3);
  const Vector weights =
      Vector::Constant(test.problem.n_kernels(), 1.0 / static_cast<double>(test.problem.n_kernels()));
  WeightObjective coarse(test.problem, 100, 0.1), fine(test.problem, 100, 1e-9);
  EXPECT_FALSE(fine.refine());
  const double exact = fine.at(weights).value, first = coarse.at(weights).value;
  int refinements = 0;
  while (coarse.refine()) ++refinements;
  EXPECT_EQ(refinements, 4);  // 0.1 to 1e-5
  EXPECT_EQ(coarse.at(weights).value, exact);
  EXPECT_LT(first, exact);
}

class BaselineTest : public testing::TestWithParam<std::string_view> {};

std::string solver_label(const testing::TestParamInfo<std::string_view>& info) { return std::string(info.param); }

TEST_P(BaselineTest, ReachesTheOptimumOfTheSquaredProblem) {
  for (int number = 0; number < 20; ++number) {
    SCOPED_TRACE(number);
    const TestProblem test = problem_number(number);
    const double optimum = squared_optimum(test.problem);
    const Result result = solve(test.problem, settings_for(GetParam(), 0.01));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(result.certificate.relative_gap, 0.01);
    expect_honest(test, result);
    EXPECT_LE(lowest_primal(result.history), optimum * (1 + 0.0102));
    for (const Record& record : result.history) {
      EXPECT_GE(record.primal, optimum * (1 - 2e-3));  // an SVM that is not quite solved has a J a little too small
      EXPECT_LE(record.dual, optimum * (1 + 1e-6));
    }
  }
}

TEST_P(BaselineTest, ReachesFourDigitsOrSaysThatItDoesNot) {
  const bool cutting_planes = GetParam() == "silp" || GetParam() == "levelmkl";
  for (int number = 0; number < 20; ++number) {
    SCOPED_TRACE(number);
    const TestProblem test = problem_number(number);
    const Result result = solve(test.problem, settings_for(GetParam(), 1e-4));
    expect_honest(test, result);
    EXPECT_EQ(result.status == Status::converged, result.certificate.relative_gap <= 1e-4);
    if (result.status == Status::converged)
      EXPECT_LE(lowest_primal(result.history), squared_optimum(test.problem) * (1 + 1.02e-4));
    else
      EXPECT_TRUE(cutting_planes) << result.message << ", gap " << result.certificate.relative_gap << " after "
                                  << result.iterations;
  }
}

TEST_P(BaselineTest, StopsWhenAskedWithACertifiedModel) {
  const TestProblem test = problem_number(12);
  Settings settings = settings_for(GetParam(), 1e-4);
  settings.callback = [](const Record& record) { return record.iteration < 1; };
  const Result refused = solve(test.problem, settings);
  EXPECT_EQ(refused.status, Status::interrupted);
  EXPECT_EQ(refused.iterations, 1);
  expect_honest(test, refused);

  settings.callback = {};
  settings.max_iter = 2;
  const Result short_run = solve(test.problem, settings);
  EXPECT_EQ(short_run.status, Status::max_iterations);
  EXPECT_EQ(short_run.iterations, 2);
  EXPECT_EQ(short_run.history.size(), 3u);
  expect_honest(test, short_run);

  settings.max_seconds = 1e-9;
  EXPECT_EQ(solve(test.problem, settings).status, Status::interrupted);

  settings = settings_for(GetParam(), 1e-4);
  settings.watch = Watch::asking([] { return true; });
  const Result stopped = solve(test.problem, settings);
  EXPECT_EQ(stopped.status, Status::interrupted);
  expect_honest(test, stopped);
}

/// `test` on a bank that asks the same watch.
Problem watched(const TestProblem& test, const Watch& watch) {
  std::vector<const double*> grams;
  for (const Matrix& K : test.naive.kernels) grams.push_back(K.data());
  auto bank = std::make_shared<const DenseBank>(std::move(grams), test.problem.n_samples(), std::vector<std::string>{},
                                                1, nullptr, watch);
  return test.problem.with(std::move(bank), test.problem.shared_regularizer());
}

TEST_P(BaselineTest, IsStoppedAtAnyQuestion) {
  const TestProblem test = problem_number(0);
  bool converged = false;
  for (int last = 1; !converged; last += 1 + last / 8) {
    SCOPED_TRACE(last);
    Settings settings = settings_for(GetParam(), 1e-3);
    settings.watch = Watch::asking([&, asked = 0]() mutable { return ++asked >= last; });
    const Result result = solve(watched(test, settings.watch), settings);
    EXPECT_TRUE(result.status == Status::interrupted || result.status == Status::converged);
    expect_honest(test, result);
    converged = result.status == Status::converged && result.iterations > 0;
    if (last > 100000) FAIL() << "never converged";
  }
}

TEST_P(BaselineTest, StartsFromAnEarlierAnswer) {
  const TestProblem test = problem_number(11);
  const Result cold = solve(test.problem, settings_for(GetParam(), 1e-3));
  const Result warm = solve(test.problem, settings_for(GetParam(), 1e-3), cold.warm_start);
  EXPECT_EQ(warm.status, Status::converged);
  // A cutting-plane method starts without its cuts.
  if (GetParam() != "silp") EXPECT_LT(warm.iterations, cold.iterations);
}

TEST_P(BaselineTest, TwoRunsGiveTheSameBits) {
  const TestProblem test = problem_number(7);
  const Result first = solve(test.problem, settings_for(GetParam(), 1e-3));
  const Result second = solve(test.problem, settings_for(GetParam(), 1e-3));
  EXPECT_EQ(first.expansion.dual, second.expansion.dual);
  EXPECT_EQ(first.expansion.scale, second.expansion.scale);
  EXPECT_EQ(first.iterations, second.iterations);
}

TEST_P(BaselineTest, NeedsNoKernelAboveAlphaMax) {
  const TestProblem test = make_problem_at(1.1, {"hinge"}, {"block1"}, {30, 8, 3});
  const Result result = solve(test.problem, settings_for(GetParam(), 0.01));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_TRUE(result.expansion.kernels.empty());
}

TEST_P(BaselineTest, RefusesWhatItDoesNotSolve) {
  const Settings settings = settings_for(GetParam(), 0.01);
  const auto refused = [&](const TestProblem& test, const std::string& why) {
    expect_refused([&] { solve(test.problem, settings); }, why);
  };
  refused(make_problem_at(0.1, {"logistic"}, {"block1"}, {30, 8}), "logistic");
  refused(make_problem_at(0.1, {"hinge"}, {"elasticnet"}, {30, 8}), "elasticnet");
  refused(make_problem_at(0.1, {"hinge"}, {"block1"}, {30, 8, 1, false}), "intercept");
  refused(make_problem_at(0.1, {"hinge"}, {"block1"}, {30, 8, 1, true, true}), "sample weights");
}

TEST_P(BaselineTest, ReadsApproximatedKernelsExactly) {
  const TestProblem test = problem_number(6);
  const TestProblem other = make_problem_at(0.2, {"hinge"}, {"block1"}, {60, 30, 999});
  const auto exact = bank_of(test.naive.kernels);
  const Problem wrong_kernels = test.problem.with(bank_of(other.naive.kernels), test.problem.shared_regularizer());
  const Result result = solve_on_exact(wrong_kernels, exact, settings_for(GetParam(), 0.01));
  EXPECT_EQ(result.status, Status::converged);
  expect_honest(test, result);
}

INSTANTIATE_TEST_SUITE_P(Each, BaselineTest, testing::ValuesIn(kBaselines), solver_label);

// ---------------------------------------------------------------------------------------------------------------------
// Their parts

TEST(SimplexQpTest, MeetsTheOptimalityConditions) {
  Generator random(6);
  for (const auto& [rows, columns] : {std::pair{3, 20}, {30, 20}, {10, 200}, {1, 1}}) {
    const Matrix V = normal_matrix(rows, columns, random);
    const Vector g = normal_vector(columns, random);
    const double ridge = 1e-8;
    const Vector x = minimise_on_simplex(g, V, ridge, 1e-9);
    EXPECT_NEAR(x.sum(), 1, 1e-10);
    EXPECT_GE(x.minCoeff(), 0);
    const Vector gradient = g + V.transpose() * (V * x) + ridge * x;
    EXPECT_NEAR(gradient.dot(x), gradient.minCoeff(), 1e-7) << rows << " x " << columns;
  }
}

TEST(LevelProjectionTest, IsFeasibleAndNoFeasiblePointIsNearer) {
  Generator random(7);
  for (const Index M : {5, 50, 400}) {
    const Vector start = Vector::Constant(M, 1 / static_cast<double>(M));
    Vector inside = normal_vector(M, random).cwiseAbs();
    inside /= inside.sum();
    std::vector<Vector> slopes;
    std::vector<double> offsets;
    for (int i = 0; i < 25; ++i) {
      slopes.push_back(normal_vector(M, random));
      offsets.push_back(-slopes.back().dot(inside) - (i % 3 == 0 ? 0 : 0.01));
    }
    const Vector d = project_on_level_set(start, offsets, slopes, 0);
    EXPECT_NEAR(d.sum(), 1, 1e-12);
    for (std::size_t i = 0; i < slopes.size(); ++i) EXPECT_LE(offsets[i] + slopes[i].dot(d), 1e-7);
    // The nearest point of a convex set: from it, the start and every other point lie in opposite half-spaces.
    EXPECT_LE((start - d).dot(inside - d), 1e-7) << M;
  }
}

TEST(CuttingPlanesTest, LowerBoundRisesToTheMinimum) {
  Generator random(8);
  CuttingPlanes planes(6, 1);
  const Vector center = Vector::LinSpaced(6, 0, 5) / 15;  // on the simplex; J(d) = ½‖d − center‖² has its minimum there
  Vector d = Vector::Constant(6, 1.0 / 6);
  double lower = -HUGE_VAL;
  for (int step = 0; step < 200; ++step) {
    const Vector slope = d - center;
    planes.add(0.5 * slope.squaredNorm() - slope.dot(d), slope);
    const CuttingPlanes::Minimum minimum = planes.minimise();
    EXPECT_GE(minimum.value, lower - 1e-7);
    EXPECT_LE(minimum.value, 1e-7);
    lower = minimum.value;
    d = minimum.weights;
  }
  EXPECT_GT(lower, -1e-3);
}

}  // namespace
