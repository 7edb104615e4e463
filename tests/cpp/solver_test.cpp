// End to end: every loss with every regulariser reaches the gap it is asked for, and the naive referee agrees.
#include <gtest/gtest.h>

#include "spicymkl/core/error.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

Settings settings_for(double tol, SolverKind solver = SolverKind::automatic) {
  Settings settings;
  settings.tol = tol;
  settings.solver = solver;
  return settings;
}

/// The certificate is what the referee finds from the stored model, to 1e-9 relative.
void expect_referee_agrees(const TestProblem& test, const Result& result) {
  const RefereeVerdict verdict = referee_verdict(test.naive, result.expansion, result.certificate.dual);
  EXPECT_NEAR(result.certificate.primal, verdict.primal, 1e-9 * verdict.primal);
  EXPECT_NEAR(result.certificate.dual_objective, verdict.dual, 1e-9 * verdict.primal);
  expect_gap_of(verdict, test.problem, result);
}

void expect_solved(const TestProblem& test, const Result& result, double tol) {
  EXPECT_EQ(result.status, Status::converged)
      << result.message << "; gap " << result.certificate.relative_gap << " after " << result.iterations << " steps";
  EXPECT_LE(result.certificate.relative_gap, tol);
  expect_referee_agrees(test, result);
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole grid

using LossAndRegularizer = std::tuple<LossCase, RegularizerCase>;

std::string grid_name(const testing::TestParamInfo<LossAndRegularizer>& info) {
  return label(std::get<0>(info.param)) + "_" + label(std::get<1>(info.param));
}

class SolverGridTest : public testing::TestWithParam<LossAndRegularizer> {
 protected:
  LossCase loss = std::get<0>(GetParam());
  RegularizerCase regularizer = std::get<1>(GetParam());
};

/// Sizes that the grid walks through, so that every combination sees small, square and wide problems.
constexpr std::pair<Index, Index> kSizes[] = {{2, 1},   {3, 2},  {12, 30}, {25, 1},
                                              {40, 12}, {60, 8}, {20, 60}, {120, 10}};

TEST_P(SolverGridTest, ReachesTheGapAndTheRefereeAgrees) {
  std::size_t turn = 0;
  for (const bool fit_intercept : {true, false})
    for (const bool weighted : {false, true})
      for (const double fraction : {0.5, 0.05, 0.005}) {
        const auto [n, m] = kSizes[turn++ % std::size(kSizes)];
        const ProblemSpec spec{n, m, 100 + turn, fit_intercept, weighted, false};
        SCOPED_TRACE(testing::Message() << "N " << n << " M " << m << " seed " << spec.seed << " alpha fraction "
                                        << fraction << " intercept " << fit_intercept << " weighted " << weighted);
        const TestProblem test = make_problem_at(fraction, loss, regularizer, spec);
        expect_solved(test, solve(test.problem, settings_for(1e-6)), 1e-6);
      }
}

TEST_P(SolverGridTest, AwkwardKernelsAreNoObstacle) {
  for (const double fraction : {0.3, 0.02}) {
    const ProblemSpec spec{30, 9, 5, true, false, true};
    SCOPED_TRACE(testing::Message() << "alpha fraction " << fraction);
    const TestProblem test = make_problem_at(fraction, loss, regularizer, spec);
    expect_solved(test, solve(test.problem, settings_for(1e-6)), 1e-6);
  }
}

TEST_P(SolverGridTest, BothSolversAgreeWhereBothApply) {
  const TestProblem test = make_problem_at(0.05, loss, regularizer, {30, 10, 42});
  if (!test.problem.regularizer().has_smooth_dual()) {
    expect_refused([&] { solve(test.problem, settings_for(1e-6, SolverKind::onestep)); }, "onestep");
    return;
  }
  const Result spicy = solve(test.problem, settings_for(1e-7, SolverKind::spicy));
  const Result onestep = solve(test.problem, settings_for(1e-7, SolverKind::onestep));
  expect_solved(test, spicy, 1e-7);
  expect_solved(test, onestep, 1e-7);
  EXPECT_NEAR(spicy.certificate.primal, onestep.certificate.primal, 2e-7 * onestep.certificate.primal);
}

TEST_P(SolverGridTest, OptimalityResidualIsSmall) {
  const TestProblem test = make_problem_at(0.05, loss, regularizer, {30, 10, 43, true, true});
  const Result result = solve(test.problem, settings_for(1e-6));
  EXPECT_LT(optimality_residual(test.problem, result.expansion), 1e-3);
  Expansion spoiled = result.expansion;
  spoiled.scale *= 1.5;
  EXPECT_GT(optimality_residual(test.problem, spoiled), 1e-3) << "the residual must notice a wrong model";
}

TEST_P(SolverGridTest, WarmStartCostsNoMoreAndArrivesAtTheSameObjective) {
  const TestProblem test = make_problem_at(0.05, loss, regularizer, {30, 10, 44});
  const Result cold = solve(test.problem, settings_for(1e-6));
  const Result warm = solve(test.problem, settings_for(1e-6), cold.warm_start);
  expect_solved(test, warm, 1e-6);
  EXPECT_LE(warm.iterations, cold.iterations);
  EXPECT_LE(warm.newton_steps, cold.newton_steps);
  EXPECT_NEAR(warm.certificate.primal, cold.certificate.primal, 2e-6 * cold.certificate.primal);
}

TEST_P(SolverGridTest, WarmStartFromAnotherAlphaArrives) {
  const ProblemSpec spec{30, 10, 45};
  const Result other = solve(make_problem_at(0.2, loss, regularizer, spec).problem, settings_for(1e-4));
  const TestProblem test = make_problem_at(0.05, loss, regularizer, spec);
  expect_solved(test, solve(test.problem, settings_for(1e-6), other.warm_start), 1e-6);
}

TEST_P(SolverGridTest, TwoRunsWithTheSameThreadsGiveTheSameBits) {
  const TestProblem test = make_problem_at(0.05, loss, regularizer, {30, 10, 46, true, false, false, 2});
  const Result first = solve(test.problem, settings_for(1e-5)), second = solve(test.problem, settings_for(1e-5));
  EXPECT_EQ(first.expansion.dual, second.expansion.dual);
  EXPECT_EQ(first.expansion.kernels, second.expansion.kernels);
  EXPECT_EQ(first.expansion.scale, second.expansion.scale);
  EXPECT_EQ(first.expansion.unpenalised, second.expansion.unpenalised);
  EXPECT_EQ(first.certificate.primal, second.certificate.primal);
  EXPECT_EQ(first.certificate.dual_objective, second.certificate.dual_objective);
}

INSTANTIATE_TEST_SUITE_P(Each, SolverGridTest,
                         testing::Combine(testing::ValuesIn(each_loss()), testing::ValuesIn(each_regularizer())),
                         grid_name);

// ---------------------------------------------------------------------------------------------------------------------
// Tight tolerances and larger sizes

class TightSolverTest : public testing::TestWithParam<LossAndRegularizer> {};

TEST_P(TightSolverTest, ReachesTenDigits) {
  const auto& [loss, regularizer] = GetParam();
  for (const double fraction : {0.3, 0.03}) {
    SCOPED_TRACE(fraction);
    const TestProblem test = make_problem_at(fraction, loss, regularizer, {35, 12, 7});
    const Result result = solve(test.problem, settings_for(1e-10));
    expect_solved(test, result, 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, TightSolverTest,
                         testing::Combine(testing::Values(LossCase{"logistic"}, LossCase{"squared"}),
                                          testing::ValuesIn(each_regularizer())),
                         grid_name);

TEST(LargerSolverTest, ManySamples) {
  for (const char* loss : {"logistic", "hinge", "squared"}) {
    SCOPED_TRACE(loss);
    const TestProblem test = make_problem_at(0.05, {loss}, {"block1"}, {300, 6, 8});
    expect_solved(test, solve(test.problem, settings_for(1e-6)), 1e-6);
  }
}

TEST(LargerSolverTest, ManyKernels) {
  for (const char* loss : {"logistic", "hinge", "epsilon_insensitive"}) {
    SCOPED_TRACE(loss);
    const TestProblem test = make_problem_at(0.05, {loss}, {"block1"}, {50, 500, 9});
    const Result result = solve(test.problem, settings_for(1e-6));
    expect_solved(test, result, 1e-6);
    EXPECT_LT(result.expansion.kernels.size(), 60u) << "the block 1-norm selects few kernels";
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Special situations

TEST(SpecialSolverTest, DuplicateKernelsDoNotChangeTheObjectiveOfBlock1) {
  Generator random(21);
  const Samples samples = random_samples(30, random);
  std::vector<Matrix> once = random_kernels(samples.X, 5, random), twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  const ProblemSpec spec;
  const double alpha = 0.05 * alpha_max(assemble(once, samples, {"logistic"}, {"block1"}, spec).problem);
  const TestProblem a = assemble(once, samples, {"logistic"}, {"block1", alpha}, spec);
  const TestProblem b = assemble(twice, samples, {"logistic"}, {"block1", alpha}, spec);
  const Result solved_a = solve(a.problem, settings_for(1e-9)), solved_b = solve(b.problem, settings_for(1e-9));
  EXPECT_NEAR(solved_a.certificate.primal, solved_b.certificate.primal, 2e-9 * solved_a.certificate.primal);
}

TEST(SpecialSolverTest, ScalingKernelsAndAlphaTogetherChangesNothing) {
  // ‖f‖_K with K → c²K: the same functions have norms divided by c, so that alpha → c·alpha leaves the problem as it
  // was.
  Generator random(22);
  const Samples samples = random_samples(30, random);
  const std::vector<Matrix> kernels = random_kernels(samples.X, 6, random);
  const double alpha = 0.05 * alpha_max(assemble(kernels, samples, {"hinge"}, {"block1"}, {}).problem);
  for (const LossCase& loss : each_loss()) {
    SCOPED_TRACE(loss.name);
    const TestProblem plain = assemble(kernels, samples, loss, {"block1", alpha}, {});
    const double reference = solve(plain.problem, settings_for(1e-7)).certificate.primal;
    for (const double c : {1e-3, 1e3}) {
      std::vector<Matrix> scaled = kernels;
      for (Matrix& K : scaled) K *= c * c;
      const TestProblem test = assemble(scaled, samples, loss, {"block1", c * alpha}, {});
      const Result result = solve(test.problem, settings_for(1e-7));
      expect_solved(test, result, 1e-7);
      EXPECT_NEAR(result.certificate.primal, reference, 2e-7 * reference) << "c " << c;
    }
  }
}

TEST(SpecialSolverTest, IntegerWeightsActLikeRepeatedSamples) {
  Generator random(23);
  Samples samples = random_samples(12, random);
  const std::vector<Matrix> kernels = random_kernels(samples.X, 4, random);
  samples.weights = Vector::Ones(12);
  samples.weights(3) = 2;
  samples.weights(7) = 3;
  std::vector<Index> rows;
  for (Index i = 0; i < 12; ++i)
    for (int copy = 0; copy < static_cast<int>(samples.weights(i)); ++copy) rows.push_back(i);
  Samples repeated = samples;
  repeated.classes = samples.classes(rows).eval();
  repeated.targets = samples.targets(rows).eval();
  std::vector<Matrix> larger;
  for (const Matrix& K : kernels) larger.push_back(K(rows, rows));
  for (const LossCase& loss : each_loss())
    for (const RegularizerCase& regularizer : each_regularizer()) {
      SCOPED_TRACE(label(loss) + " " + label(regularizer));
      ProblemSpec weighted;
      weighted.weighted = true;
      const RegularizerCase strong = regularizer.with_alpha(0.3);
      const Result a = solve(assemble(kernels, samples, loss, strong, weighted).problem, settings_for(1e-7));
      const Result b = solve(assemble(larger, repeated, loss, strong, {}).problem, settings_for(1e-7));
      EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 2e-7 * b.certificate.primal);
    }
}

TEST(SpecialSolverTest, AStartFromAWeakPenaltyLeavesNoKernelActiveUnderAStrongOne) {
  for (const char* loss : {"logistic", "hinge", "squared"})
    for (const Index m : {60, 100}) {
      const TestProblem weak = make_problem_at(1e-4, {loss}, {"elasticnet"}, {.n = 30, .m = m, .seed = 8});
      const TestProblem strong = make_problem_at(0.9, {loss}, {"elasticnet"}, {.n = 30, .m = m, .seed = 8});
      const Result before = solve(weak.problem, {.tol = 1e-6});
      const Result result = solve(strong.problem, {.tol = 1e-6}, before.warm_start);
      EXPECT_EQ(result.status, Status::converged) << loss << ' ' << m << ' ' << result.message;
      EXPECT_LE(certify(strong.problem, result.expansion).relative_gap, 1e-5) << loss << ' ' << m;
    }
}

TEST(SpecialSolverTest, OnlyZeroKernelsLeaveTheConstant) {
  for (const LossCase& loss : each_loss())
    for (const RegularizerCase& regularizer : each_regularizer())
      for (const bool fit_intercept : {true, false}) {
        SCOPED_TRACE(label(loss) + " " + label(regularizer));
        Generator random(24);
        const Samples samples = random_samples(15, random);
        ProblemSpec spec;
        spec.fit_intercept = fit_intercept;
        const TestProblem test =
            assemble({Matrix::Zero(15, 15), Matrix::Zero(15, 15)}, samples, loss, regularizer, spec);
        const Result result = solve(test.problem, settings_for(1e-6));
        expect_solved(test, result, 1e-6);
        const Matrix best = test.problem.best_unpenalised(Vector::Zero(15));
        ASSERT_EQ(result.expansion.unpenalised.size(), best.size());
        EXPECT_LE((result.expansion.unpenalised - best).norm(), 1e-3);
      }
}

TEST(SpecialSolverTest, ConstantTargetsCostNothing) {
  for (const char* loss : {"squared", "epsilon_insensitive", "huber", "quantile"}) {
    SCOPED_TRACE(loss);
    Generator random(25);
    Samples samples = random_samples(15, random);
    samples.targets.setConstant(3);
    const TestProblem test = assemble(random_kernels(samples.X, 3, random), samples, {loss}, {"block1", 0.1}, {});
    const Result result = solve(test.problem, settings_for(1e-6));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_NEAR(result.certificate.primal, 0, 1e-12);
  }
}

TEST(SpecialSolverTest, LargeTargetsAreFitted) {
  // Regression in another unit: everything scales, nothing else changes. The offset tests the intercept.
  for (const LossCase& loss : {LossCase{"squared"}, LossCase{"huber", 40}, LossCase{"epsilon_insensitive", 100},
                               LossCase{"quantile", 0.1, 0.3}}) {
    SCOPED_TRACE(label(loss));
    Generator random(26);
    Samples samples = random_samples(30, random);
    samples.targets = samples.targets.array() * 1e3 + 1e5;
    const std::vector<Matrix> kernels = random_kernels(samples.X, 6, random);
    const double alpha = 0.05 * alpha_max(assemble(kernels, samples, loss, {"block1"}, {}).problem);
    const TestProblem test = assemble(kernels, samples, loss, {"block1", alpha}, {});
    expect_solved(test, solve(test.problem, settings_for(1e-6)), 1e-6);
  }
}

TEST(SpecialSolverTest, ExtremeSampleWeightsAreNoObstacle) {
  for (const LossCase& loss : each_loss()) {
    SCOPED_TRACE(label(loss));
    Generator random(27);
    Samples samples = random_samples(20, random);
    for (Index i = 0; i < 20; ++i) samples.weights(i) = std::pow(10.0, static_cast<double>(i % 9) - 4);
    const std::vector<Matrix> kernels = random_kernels(samples.X, 5, random);
    ProblemSpec spec;
    spec.weighted = true;
    const double alpha = 0.05 * alpha_max(assemble(kernels, samples, loss, {"block1"}, spec).problem);
    const TestProblem test = assemble(kernels, samples, loss, {"block1", alpha}, spec);
    expect_solved(test, solve(test.problem, settings_for(1e-5)), 1e-5);
  }
}

TEST(SpecialSolverTest, AnUnfinishedRunReturnsAModelNearItsIterate) {
  // q > 2 with kernels of scale 1e-6 and 1e6: the loop comes to rest above 1e-8, and fixing its weights alone would
  // give a model with a gap of 0.97, because weights x^(2−q) of nearly switched-off kernels explode.
  const RegularizerCase steep{"blockq", 1, 0.5, 3.78};
  const TestProblem test = make_problem_at(0.000255, {"epsilon_insensitive"}, steep, {36, 11, 1008, true, false, true});
  const Result result = solve(test.problem, settings_for(1e-8));
  double best_gap = 1;
  for (const Record& record : result.history) best_gap = std::min(best_gap, record.gap);
  EXPECT_LT(best_gap, 1e-3);
  EXPECT_LT(result.certificate.relative_gap, 1e-2);
}

TEST(SpecialSolverTest, CustomRegularizerSolvesTheSameProblem) {
  for (const RegularizerCase& known : {RegularizerCase{"block1", 0.4}, RegularizerCase{"elasticnet", 0.4, 0.5}}) {
    const auto original = known.make();
    CustomRegularizerFunctions functions;
    functions.value = [=](double x) { return original->value(x); };
    functions.conjugate = [=](double u) { return original->conjugate(u); };
    functions.prox = [=](double v, double gamma) { return original->prox(v, gamma); };
    functions.prox_slope = [=](double v, double gamma) { return original->prox_slope(v, gamma); };
    functions.threshold = original->threshold();
    functions.dual_bound = original->dual_bound();
    const TestProblem test = make_problem({"logistic"}, known, {30, 8, 28});
    const Problem custom(bank_of(test.naive.kernels), test.naive.y, make_loss("logistic"),
                         std::make_shared<CustomRegularizer>("mine", 0.4, functions));
    const Result a = solve(test.problem, settings_for(1e-8)), b = solve(custom, settings_for(1e-8));
    EXPECT_EQ(b.status, Status::converged) << b.message;
    EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 2e-8 * a.certificate.primal);
  }
}

TEST(SpecialSolverTest, ThreadCountDoesNotChangeTheAnswer) {
  for (const LossCase& loss : {LossCase{"logistic"}, LossCase{"hinge"}}) {
    ProblemSpec one{30, 10, 29}, many{30, 10, 29};
    one.threads = 1;
    many.threads = 3;
    const Result a = solve(make_problem_at(0.05, loss, {"block1"}, one).problem, settings_for(1e-8));
    const Result b = solve(make_problem_at(0.05, loss, {"block1"}, many).problem, settings_for(1e-8));
    EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 2e-8 * a.certificate.primal);
  }
}

TEST(SpecialSolverTest, AStartOfAnotherProblemIsRefused) {
  const TestProblem test = make_problem({"logistic"}, {"block1", 0.4}, {30, 8, 28});
  WarmStart start = solve(test.problem, settings_for(1e-3)).warm_start;
  start.unpenalised = Matrix::Zero(4, 1);  // an intercept and three covariates
  expect_refused([&] { solve(test.problem, settings_for(1e-3), start); }, "4 x 1 coefficients without a penalty");
}

}  // namespace
