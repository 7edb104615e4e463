// Survival times: targets, folds, concordance, curves, Breslow's hazard, model files, proofs at a model's own
// predictions.
#include <gtest/gtest.h>

#include "pipeline/own_proof.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "spicymkl/selection/folds.hpp"
#include "spicymkl/selection/survival_metrics.hpp"
#include "support/joint_problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace testing_support;
using spicymkl::Survival;
using spicymkl::Table;
using spicymkl::Target;

void refuse_naming(const std::function<void()>& action, const std::vector<std::string>& words) {
  for (const std::string& word : words) expect_refused(action, word);
}

Table table_of(std::vector<std::string> times, std::vector<std::string> events) {
  Table table;
  table.path = "t.csv";
  table.target_name = "days";
  table.event_name = "died";
  table.values.resize(std::ssize(times), 0);
  table.target = std::move(times);
  table.events = std::move(events);
  return table;
}

Target random_target(Index n, std::uint64_t seed) {
  Generator random(seed);
  Target target;
  target.loss = "cox";
  target.numbers = (normal_vector(n, random).cwiseAbs() * 8).array().round() / 2;
  target.events = (normal_vector(n, random).array() > -0.2).cast<double>();
  return target;
}

TEST(SurvivalTarget, LabelsAreRanksThatAreNegativeWithoutAnEvent) {
  const Target target = spicymkl::make_target(table_of({"3", "0", "3", "7.5"}, {"1", "1", "0", "0"}), "auto");
  EXPECT_EQ(target.loss, "cox");
  EXPECT_EQ(target.labels(0), (Vector(4) << 2, 1, -2, -3).finished());
  EXPECT_EQ(target.n_fits(), 1);
  const std::vector<Index> some = {3, 0};
  EXPECT_EQ(target.rows(some).labels(0), (Vector(2) << -2, 1).finished());
  EXPECT_EQ(target.stratum(0), 1);
  EXPECT_EQ(target.stratum(3), 0);
}

TEST(SurvivalTarget, KnowsTheCodesOfEvents) {
  const auto events = [](std::vector<std::string> codes, int code = 0) {
    return spicymkl::make_survival_target(table_of({"1", "2", "3"}, std::move(codes)), code).events;
  };
  const Vector wanted = (Vector(3) << 0, 1, 0).finished();
  EXPECT_EQ(events({"0", "1", "0.0"}), wanted);
  EXPECT_EQ(events({"1", "2", "1"}), wanted);
  EXPECT_EQ(events({"False", "TRUE", "false"}), wanted);
  EXPECT_EQ(events({"1", "1", "1"}, 2), Vector::Zero(3));
  refuse_naming([&] { events({"0", "1", "2"}); }, {"t.csv", "'died'", "three codes"});
  refuse_naming([&] { events({"0", "2", "0"}); }, {"'died'", "2"});
  refuse_naming([&] { events({"0", "dead", "x"}); }, {"row 2", "'died'", "'dead'", "2 rows in all"});
  refuse_naming([&] { events({"0", "1", ""}); }, {"row 3", "'died'", "missing"});
  refuse_naming([&] { events({"0", "0", "0"}); }, {"'died'", "none of the 3 rows has an event"});
  refuse_naming([&] { events({"0", "1", "1"}, 2); }, {"row 1", "'0'", "1 and 2"});
}

TEST(SurvivalTarget, RefusesTimesThatAreNone) {
  const auto refuse = [](const std::string& time, std::vector<std::string> words) {
    refuse_naming([&] { spicymkl::make_target(table_of({"1", time, "2"}, {"1", "1", "0"}), "cox"); }, words);
  };
  refuse("-1", {"row 2", "'days'", "'-1'"});
  refuse("soon", {"row 2", "'days'", "'soon'"});
  refuse("inf", {"row 2", "'days'"});
  refuse("", {"row 2", "'days'", "missing"});
  Table without = table_of({"1", "2"}, {"1", "0"});
  without.event_name = "";
  refuse_naming([&] { spicymkl::make_target(without, "cox"); }, {"--time and --event"});
  refuse_naming([] { spicymkl::check_task(spicymkl::Task::regression, "cox"); }, {"cox", "survival times"});
}

TEST(SurvivalFolds, HaveEqualSharesOfEvents) {
  Target target = random_target(90, 3);
  target.events.setZero();
  target.events.head(30).setOnes();
  for (const spicymkl::Fold& fold : spicymkl::make_folds(target, 5, 1))
    EXPECT_EQ(target.rows(fold.test).events.sum(), 6);
  target.events.setZero();
  target.events(4) = 1;
  refuse_naming([&] { spicymkl::make_folds(target, 5, 1); }, {"1 event in 90 rows"});
}

TEST(Concordance, IsItsDefinitionPairByPair) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Target target = random_target(60, seed);
    Generator random(seed + 100);
    const Vector risk = (normal_vector(60, random) * 4).array().round();
    Vector pairs = Vector::Zero(60), right = Vector::Zero(60);
    for (Index i = 0; i < 60; ++i)
      for (Index j = 0; j < 60; ++j) {
        const bool later =
            target.numbers(j) > target.numbers(i) || (target.numbers(j) == target.numbers(i) && target.events(j) == 0);
        if (i == j || target.events(i) == 0 || !later) continue;
        const double credit = risk(i) > risk(j) ? 1 : risk(i) == risk(j) ? 0.5 : 0;
        for (const Index row : {i, j}) {
          pairs(row) += 1;
          right(row) += credit;
        }
      }
    const spicymkl::Concordance found = spicymkl::concordance(target.numbers, target.events, risk);
    EXPECT_EQ(found.pairs, pairs);
    EXPECT_EQ(found.right, right);
    EXPECT_DOUBLE_EQ(*found.value(), right.sum() / pairs.sum());
    EXPECT_NEAR(*found.error(), 2 * (right - *found.value() * pairs).norm() / pairs.sum(), 1e-14);
  }
  EXPECT_FALSE(spicymkl::concordance(Vector::Ones(3), Vector::Zero(3), Vector::Ones(3)).value());
}

TEST(KaplanMeier, FallsAtEventsByThePartOfThoseAtRisk) {
  const Vector times = (Vector(6) << 1, 2, 2, 3, 4, 5).finished(), events = (Vector(6) << 1, 1, 0, 1, 0, 1).finished();
  const spicymkl::SurvivalCurve curve = spicymkl::kaplan_meier(times, events);
  EXPECT_EQ(curve.times, (std::vector<double>{1, 2, 3, 5}));
  const std::vector<double> wanted = {5.0 / 6, 5.0 / 6 * 4 / 5, 5.0 / 6 * 4 / 5 * 2 / 3, 0};
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(curve.share[k], wanted[k], 1e-15);
  EXPECT_EQ(curve.n_events, 4);
  const auto groups = spicymkl::curves_by_risk(times, events, (Vector(6) << 6, 5, 4, 3, 2, 1).finished());
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups.front().last_time, 5);
  EXPECT_EQ(groups.back().last_time, 2);
  EXPECT_EQ(spicymkl::curves_by_risk(times, events, Vector::Ones(6)).size(), 1u);
}

Survival random_survival(Index n) {
  const Target target = random_target(n, 9);
  Generator random(10);
  Survival survival;
  survival.event_name = "died";
  survival.times = target.numbers;
  survival.events = target.events;
  survival.log_risks = normal_vector(n, random);
  return survival;
}

TEST(Hazard, IsBreslowsEstimate) {
  Survival survival = random_survival(40);
  Generator random(11);
  const Vector weights = normal_vector(40, random).cwiseAbs().array() + 0.1;
  estimate_hazard(weights, survival);
  double sum = 0;
  for (Index k = 0; k < survival.steps.size(); ++k) {
    double events = 0, at_risk = 0;
    for (Index i = 0; i < 40; ++i) {
      if (survival.times(i) == survival.steps(k)) events += weights(i) * survival.events(i);
      if (survival.times(i) >= survival.steps(k)) at_risk += weights(i) * std::exp(survival.log_risks(i));
    }
    sum += events / at_risk;
    EXPECT_NEAR(survival.hazard(k), sum, 1e-12 * sum);
  }
  const Vector at = (Vector(3) << -1, survival.steps(2), 1e9).finished(), values = hazard_at(survival, at);
  EXPECT_EQ(values(0), 0);
  EXPECT_EQ(values(1), survival.hazard(2));
  EXPECT_EQ(values(2), survival.hazard(survival.hazard.size() - 1));
  const Matrix surviving = survival_probabilities(survival, survival.log_risks, at);
  EXPECT_EQ(surviving(5, 0), 1);
  EXPECT_NEAR(surviving(5, 1), std::exp(-survival.hazard(2) * std::exp(survival.log_risks(5))), 1e-13);
  survival.log_risks.array() += 800;  // beyond the range of doubles, but for what it says
  estimate_hazard(weights, survival);
  EXPECT_TRUE(survival_probabilities(survival, survival.log_risks, at).allFinite());
}

TEST(ConjugateBound, LiesAboveTheConjugateAndMeetsItAtTheGradient) {
  for (const bool weighted : {false, true}) {
    const JointProblem test = make_joint_problem({.loss = "cox", .weighted = weighted, .seed = 5});
    const spicymkl::JointLoss& loss = *test.problem.joint_loss();
    Generator random(6);
    const Vector z = 0.8 * normal_vector(test.labels.size(), random), rho = loss.dual_point(z);
    for (const double s : {0.0, 0.2, 0.9, 0.999}) {
      EXPECT_GE(*loss.conjugate_bound(z, s), loss.conjugate(s * rho) - 1e-12);
      // Event by event, from the definition: Σ sρ_j log s_j + Σ s_i Σ_j q_ij log q_ij.
      double sum = s * rho.dot(test.weights.array().log().matrix());
      for (Index i = 0; i < z.size(); ++i) {
        if (test.labels(i) < 0) continue;
        Vector q = Vector::Zero(z.size());
        for (Index j = 0; j < z.size(); ++j)
          if (std::abs(test.labels(j)) >= test.labels(i)) q(j) = test.weights(j) * std::exp(z(j));
        q *= s / q.sum();
        q(i) += 1 - s;
        for (const double share : q) sum += test.weights(i) * (share > 0 ? share * std::log(share) : 0);
      }
      EXPECT_NEAR(*loss.conjugate_bound(z, s), sum, 1e-11 * (1 + std::abs(sum)));
    }
    EXPECT_NEAR(*loss.conjugate_bound(z, 1), loss.conjugate(rho), 1e-11);
  }
}

TEST(OwnProof, IsAMultipleOfTheGradientAtTheModelsOwnPredictions) {
  for (const char* penalty : {"block1", "elasticnet", "uniform"})
    for (const Index covariates : {0, 2}) {
      const JointProblem test = make_joint_problem_at(
          0.2,
          {.loss = "cox", .regularizer = {penalty}, .n = 40, .weighted = true, .covariates = covariates, .seed = 8});
      ASSERT_TRUE(spicymkl::is_proved_at_predictions(test.problem));
      spicymkl::Settings settings;
      settings.tol = 1e-7;
      const spicymkl::Result result = spicymkl::solve_to_own_proof(test.problem, nullptr, settings, {});
      EXPECT_EQ(result.status, spicymkl::Status::converged) << penalty << result.message;
      EXPECT_LE(result.certificate.relative_gap, 1e-7);
      const Vector z = primal_value(test.problem, result.expansion).predictions;
      const Vector rho = test.problem.joint_loss()->dual_point(z);
      const double s = result.certificate.dual.dot(rho) / rho.squaredNorm();
      EXPECT_LE(s, 1 + 1e-12);
      EXPECT_GE(s, 0);
      EXPECT_LE((result.certificate.dual - s * rho).norm(), 1e-9 * rho.norm());
    }
  EXPECT_FALSE(spicymkl::is_proved_at_predictions(make_joint_problem({.loss = "multinomial"}).problem));
}

TEST(SurvivalModel, IsKeptInItsFileToTheBit) {
  const JointProblem test = make_joint_problem_at(0.2, {.loss = "cox", .seed = 3});
  spicymkl::TrainingInput input;
  input.bank = bank_of(test.kernels);
  input.target = random_target(test.n_rows(), 4);
  input.target.event_name = "died";
  spicymkl::TrainingPlan plan;
  plan.problem.loss = "cox";
  spicymkl::Model model = train_model(input, plan).model;
  ASSERT_TRUE(model.is_survival());
  EXPECT_FALSE(model.fits.front().problem.fit_intercept);
  EXPECT_EQ(model.format_version(), 4);
  const spicymkl::Model again = spicymkl::model_from_bytes(to_bytes(model), "m");
  EXPECT_EQ(again.survival->hazard, model.survival->hazard);
  EXPECT_EQ(again.survival->log_risks, model.survival->log_risks);
  EXPECT_EQ(again.survival->event_name, "died");
  EXPECT_EQ(to_bytes(again), to_bytes(model));
  model.survival->hazard(0) = model.survival->hazard(1) + 1;
  refuse_naming([&] { spicymkl::model_from_bytes(to_bytes(model), "m"); }, {"m"});
  model.survival.reset();
  refuse_naming([&] { spicymkl::model_from_bytes(to_bytes(model), "m"); }, {"m", "survival times"});
}

TEST(SurvivalProblem, NeedsEvents) {
  const JointProblem test = make_joint_problem({.loss = "cox"});
  Target numbers;
  numbers.loss = "cox";
  numbers.numbers = Vector::LinSpaced(test.n_rows(), 1, 2);
  refuse_naming([&] { make_problem(bank_of(test.kernels), numbers, 0, {.loss = "cox", .alpha = 1}, {}); }, {"events"});
}

TEST(SurvivalProblem, TheBestConstantIsNone) {
  const JointProblem test = make_joint_problem({.loss = "cox", .n = 51});
  const auto bank = bank_of(test.kernels);
  const Vector zero = Vector::Zero(51);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const spicymkl::Problem problem = make_problem(bank, random_target(51, seed), 0, {.loss = "cox", .alpha = 1}, {});
    const Vector rho = problem.dual_point(zero);
    EXPECT_LE((problem.best_constant().dual - rho).norm(), 1e-12 * rho.norm()) << seed;
    EXPECT_EQ(problem.best_constant().unpenalised, spicymkl::Matrix::Zero(1, 1)) << seed;
  }
}

}  // namespace
