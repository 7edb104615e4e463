// The problem: refusal of bad input, feasible dual points, intercepts, the best constant and alpha_max.
#include "spicymkl/problem/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

Problem problem_with(const Vector& labels, const char* loss, const Vector& weights = {}, Index n = 4) {
  return {bank_of({Matrix::Identity(n, n)}), labels, make_loss(loss), make_regularizer("block1", {}), true, weights};
}

// --- refusal ---

TEST(ProblemRefusalTest, OneClassIsRefused) {
  for (const LossCase& loss : each_loss())
    for (const double y : {1.0, -1.0})
      if (loss.classifies())
        expect_refused([&] { problem_with(Vector::Constant(4, y), loss.name.c_str()); }, "both classes");
}

TEST(ProblemRefusalTest, LabelsOtherThanPlusMinusOneAreRefusedWithTheirPlace) {
  for (const double bad : {0.0, 2.0, -1.5}) {
    const Vector labels{{1, -1, bad, 1}};
    expect_refused([&] { problem_with(labels, "logistic"); }, "sample 2");
    expect_refused([&] { problem_with(labels, "hinge"); }, "+1 and -1");
  }
}

TEST(ProblemRefusalTest, LabelsMustBeFinite) {
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    const Vector labels{{1, bad, -1, 1}};
    for (const LossCase& loss : each_loss())
      expect_refused([&] { problem_with(labels, loss.name.c_str()); }, "label of sample 1");
  }
}

TEST(ProblemRefusalTest, NumberOfLabelsMustMatchTheKernels) {
  expect_refused([] { problem_with(Vector::Ones(3), "squared"); }, "3 labels");
  expect_refused([] { problem_with(Vector(0), "squared"); }, "0 labels");
}

TEST(ProblemRefusalTest, OneSampleIsRefused) {
  expect_refused([] { problem_with(Vector::Ones(1), "squared", {}, 1); }, "one sample");
}

TEST(ProblemRefusalTest, SampleWeightsMustBePositiveAndFinite) {
  const Vector labels{{1, -1, 1, -1}};
  for (const double bad : {0.0, -1.0, std::nan(""), kInfinity})
    expect_refused([&] { problem_with(labels, "hinge", Vector{{1, 1, 1, bad}}); }, "weight of sample 3");
  expect_refused([&] { problem_with(labels, "hinge", Vector::Ones(5)); }, "5 sample weights");
}

TEST(ProblemTest, OmittedWeightsAreOne) {
  EXPECT_EQ(problem_with(Vector{{1, -1, 1, -1}}, "hinge").sample_weights(), Vector::Ones(4));
}

// --- dual points and intercepts ---

using WeightedLoss = std::tuple<LossCase, bool>;

/// Every loss, without and with sample weights.
class ProblemLossTest : public testing::TestWithParam<WeightedLoss> {
 protected:
  LossCase loss = std::get<0>(GetParam());
  bool weighted = std::get<1>(GetParam());
  Generator random{31};

  TestProblem make(bool fit_intercept, std::uint64_t seed = 3, Index n = 25) {
    return make_problem(loss, {"block1"}, {n, 5, seed, fit_intercept, weighted});
  }
};

TEST_P(ProblemLossTest, LossAndConjugateAreWeightedSums) {
  const TestProblem test = make(true);
  const Vector z = normal_vector(25, random);
  const Vector rho = test.problem.feasible(normal_vector(25, random));
  double loss_sum = 0, conjugate_sum = 0;
  for (Index i = 0; i < 25; ++i) {
    const double s = test.naive.weights(i);
    loss_sum += s * referee_loss(loss, test.naive.y(i), z(i));
    conjugate_sum += s * referee_conjugate(loss, test.naive.y(i), rho(i) / s);
  }
  EXPECT_NEAR(test.problem.loss_value(z), loss_sum, 1e-12 * (1 + loss_sum));
  EXPECT_NEAR(test.problem.conjugate_value(rho), conjugate_sum, 1e-12 * (1 + std::abs(conjugate_sum)));
}

TEST_P(ProblemLossTest, DualPointIsTheNegativeGradient) {
  const TestProblem test = make(true);
  const Vector z = normal_vector(25, random);
  const Vector rho = test.problem.dual_point(z);
  // Equality of Fenchel and Young for the weighted sum.
  EXPECT_NEAR(test.problem.loss_value(z) + test.problem.conjugate_value(rho) + rho.dot(z), 0, 1e-10);
}

TEST_P(ProblemLossTest, FeasiblePointsLieInTheDomainAndSumToZero) {
  for (const bool fit_intercept : {true, false})
    for (int trial = 0; trial < 30; ++trial) {
      const TestProblem test = make(fit_intercept, 3 + static_cast<std::uint64_t>(trial));
      const Vector start = std::pow(10.0, trial % 5 - 2) * normal_vector(25, random);
      const Vector rho = test.problem.feasible(start);
      for (Index i = 0; i < 25; ++i) {
        const Interval domain = test.problem.loss().dual_domain(test.naive.y(i));
        EXPECT_GE(rho(i), test.naive.weights(i) * domain.lower);
        EXPECT_LE(rho(i), test.naive.weights(i) * domain.upper);
      }
      EXPECT_TRUE(std::isfinite(test.problem.conjugate_value(rho))) << "a feasible point has a finite dual value";
      if (fit_intercept) EXPECT_NEAR(rho.sum(), 0, 1e-13 * (1 + rho.lpNorm<1>()));
    }
}

TEST_P(ProblemLossTest, FeasibleLeavesAFeasiblePointAlone) {
  const TestProblem test = make(true);
  const Vector once = test.problem.feasible(normal_vector(25, random));
  EXPECT_LT((test.problem.feasible(once) - once).norm(), 1e-13 * (1 + once.norm()));
}

TEST_P(ProblemLossTest, BestInterceptMinimisesTheLoss) {
  for (int trial = 0; trial < 10; ++trial) {
    const TestProblem test = make(true, 50 + static_cast<std::uint64_t>(trial));
    const Vector f = 2 * normal_vector(25, random);
    const auto objective = [&](double b) { return test.problem.loss_value(f.array() + b); };
    const double brute = golden_minimum(objective, -50, 50);
    EXPECT_NEAR(objective(test.problem.best_unpenalised(f)(0)), brute, 1e-12 * (1 + brute));
  }
}

TEST_P(ProblemLossTest, WithoutInterceptItIsZero) {
  const TestProblem test = make(false);
  EXPECT_EQ(test.problem.best_unpenalised(normal_vector(25, random)).size(), 0);
  EXPECT_EQ(test.problem.best_constant().unpenalised.size(), 0);
}

TEST_P(ProblemLossTest, BestConstantComesWithItsDualProof) {
  for (const bool fit_intercept : {true, false})
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
      const TestProblem test = make(fit_intercept, seed);
      const Problem::Constant constant = test.problem.best_constant();
      const double loss_there = test.problem.loss_value(test.problem.unpenalised_part(constant.unpenalised));
      // Strong duality of the problem without kernels: Σℓ = −Σℓ*.
      EXPECT_NEAR(loss_there, -test.problem.conjugate_value(constant.dual), 1e-10 * loss_there) << "seed " << seed;
      if (fit_intercept) EXPECT_NEAR(constant.dual.sum(), 0, 1e-12 * constant.dual.lpNorm<1>());
    }
}

TEST_P(ProblemLossTest, NothingIsSelectedAboveAlphaMax) {
  for (const RegularizerCase& regularizer : {RegularizerCase{"block1"}, RegularizerCase{"elasticnet", 1, 0.4}}) {
    const ProblemSpec spec{25, 6, 9, true, weighted};
    const double largest = alpha_max(make_problem(loss, regularizer, spec).problem);
    const TestProblem test = make_problem(loss, regularizer.with_alpha(1.001 * largest), spec);
    Settings settings;
    settings.tol = 1e-6;
    const Result result = solve(test.problem, settings);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_TRUE(result.expansion.kernels.empty()) << result.expansion.kernels.size() << " kernels are selected";
  }
}

TEST_P(ProblemLossTest, SomethingIsSelectedBelowAlphaMax) {
  // The dual vector of the best constant is unique for a differentiable loss; for the others alpha_max is an upper
  // bound.
  if (loss.name == "hinge" || loss.name == "quantile" || loss.name == "epsilon_insensitive")
    GTEST_SKIP() << "the best constant has many dual vectors";
  for (const RegularizerCase& regularizer : {RegularizerCase{"block1"}, RegularizerCase{"elasticnet", 1, 0.4}}) {
    const ProblemSpec spec{25, 6, 9, true, weighted};
    const double largest = alpha_max(make_problem(loss, regularizer, spec).problem);
    const TestProblem test = make_problem(loss, regularizer.with_alpha(0.98 * largest), spec);
    Settings settings;
    settings.tol = 1e-9;
    const Result result = solve(test.problem, settings);
    ASSERT_FALSE(result.certificate.norms.size() == 0);
    EXPECT_GT(result.certificate.norms.maxCoeff(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, ProblemLossTest, testing::Combine(testing::ValuesIn(each_loss()), testing::Bool()),
                         [](const auto& info) {
                           return label(std::get<0>(info.param)) + (std::get<1>(info.param) ? "_weighted" : "");
                         });

// --- closed forms ---

Samples nine_samples() {
  Generator random(41);
  Samples samples = random_samples(9, random);
  samples.classes = Vector{{1, -1, 1, 1, 1, -1, 1, -1, 1}};
  return samples;
}

TestProblem weighted_problem(const LossCase& loss, bool weighted) {
  ProblemSpec spec;
  spec.weighted = weighted;
  return assemble({Matrix::Identity(9, 9)}, nine_samples(), loss, {"block1"}, spec);
}

TEST(BestConstantTest, LogisticIsTheLogOfTheClassRatio) {
  for (const bool weighted : {false, true}) {
    const TestProblem test = weighted_problem({"logistic"}, weighted);
    const Vector& y = test.naive.y;
    const double positive = (y.array() > 0).select(test.naive.weights, 0).sum();
    const double negative = test.naive.weights.sum() - positive;
    const Problem::Constant constant = test.problem.best_constant();
    EXPECT_NEAR(constant.unpenalised(0), std::log(positive / negative), 1e-13);
    for (Index i = 0; i < 9; ++i) {
      const double other = y(i) > 0 ? negative : positive;
      EXPECT_NEAR(constant.dual(i), test.naive.weights(i) * y(i) * other / (positive + negative), 1e-13);
    }
  }
}

TEST(BestConstantTest, SquaredIsTheWeightedMean) {
  for (const bool weighted : {false, true}) {
    const TestProblem test = weighted_problem({"squared"}, weighted);
    const double mean = test.naive.weights.dot(test.naive.y) / test.naive.weights.sum();
    const Problem::Constant constant = test.problem.best_constant();
    EXPECT_NEAR(constant.unpenalised(0), mean, 1e-13);
    const Vector expected = 2 * test.naive.weights.cwiseProduct((test.naive.y.array() - mean).matrix());
    EXPECT_LT((constant.dual - expected).norm(), 1e-12);
  }
}

TEST(BestConstantTest, HingeFollowsTheMajority) {
  const TestProblem test = weighted_problem({"hinge"}, false);
  EXPECT_NEAR(test.problem.best_constant().unpenalised(0), 1, 1e-12);
  const Vector dual = test.problem.best_constant().dual;
  for (Index i = 0; i < 9; ++i) EXPECT_NEAR(dual(i), test.naive.y(i) > 0 ? 0.5 : -1, 1e-12) << "3 of class -1, 6 of +1";
}

TEST(BestConstantTest, QuantileIsTheSampleQuantile) {
  std::vector<double> sorted(9);
  const Vector targets = nine_samples().targets;
  std::copy(targets.begin(), targets.end(), sorted.begin());
  std::sort(sorted.begin(), sorted.end());
  EXPECT_NEAR(weighted_problem({"quantile", 0.1, 0.5}, false).problem.best_constant().unpenalised(0), sorted[4], 1e-13);
  EXPECT_NEAR(weighted_problem({"quantile", 0.1, 0.3}, false).problem.best_constant().unpenalised(0), sorted[2], 1e-13);
  EXPECT_NEAR(weighted_problem({"quantile", 0.1, 0.9}, false).problem.best_constant().unpenalised(0), sorted[8], 1e-13);
}

TEST(BestConstantTest, EpsilonInsensitiveWithoutTubeIsTheMedian) {
  const double median = weighted_problem({"quantile", 0.1, 0.5}, true).problem.best_constant().unpenalised(0);
  EXPECT_NEAR(weighted_problem({"epsilon_insensitive", 0}, true).problem.best_constant().unpenalised(0), median, 1e-13);
}

TEST(AlphaMaxTest, WithoutThresholdItIsThatOfBlock1) {
  const double unit = alpha_max(make_problem({"logistic"}, {"block1"}, {}).problem);
  for (const char* name : {"blockq", "uniform", "mixed"})
    EXPECT_EQ(alpha_max(make_problem({"logistic"}, {name}, {}).problem), unit);
}

TEST(AlphaMaxTest, DoesNotDependOnAlphaAndGrowsWithTheInverseRatio) {
  const double unit = alpha_max(make_problem({"logistic"}, {"block1"}, {}).problem);
  EXPECT_NEAR(alpha_max(make_problem({"logistic"}, {"block1", 7}, {}).problem), unit, 1e-12 * unit);
  EXPECT_NEAR(alpha_max(make_problem({"logistic"}, {"elasticnet", 3, 0.25}, {}).problem), 4 * unit, 1e-12 * unit);
}

TEST(AlphaMaxTest, IsZeroForZeroKernels) {
  const Problem problem(bank_of({Matrix::Zero(4, 4)}), Vector{{1, -1, 1, -1}}, make_loss("hinge"),
                        make_regularizer("block1", {}));
  EXPECT_EQ(alpha_max(problem), 0);
}

TEST(SquaredFormulationTest, StrengthIsAlphaOverTheSumOfNorms) {
  // d/dx of (C̃/2)x² at x = S is alpha.
  EXPECT_DOUBLE_EQ(squared_formulation_strength(0.3, 6) * 6, 0.3);
}

}  // namespace
