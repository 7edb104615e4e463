// Cross-validation: scores are those of models that never saw the test rows, and the choice is what training gives.
#include "spicymkl/selection/cross_validation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <atomic>
#include <cmath>

#include "io_files.hpp"
#include "selection/selection_options.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/model/scores.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "spicymkl/selection/path.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace spicymkl {
namespace {

using testing_support::expect_refused;

/// Numbers, a categorical column, missing cells and wild values, so that whatever is fitted depends on every row.
Table wild_table(Index rows, int n_classes, unsigned seed) {
  testing_support::Generator random(seed);
  std::normal_distribution<double> normal;
  Table table;
  table.path = "made.csv";
  table.columns = {"a", "b", "c", "colour"};
  table.categories = {{}, {}, {}, {"blue", "green", "red"}};
  table.target_name = "y";
  table.values.resize(rows, 4);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < 3; ++j) table.values(i, j) = std::pow(normal(random), 3);
    table.values(i, 3) = static_cast<double>(random() % 3);
    const double f = table.values(i, 0) + 0.5 * std::abs(table.values(i, 1)) + 0.2 * normal(random);
    const int level = f < -0.3 ? 0 : f < 0.8 ? 1 : 2;
    table.target.push_back(n_classes == 0 ? std::to_string(f) : "k" + std::to_string(std::min(level, n_classes - 1)));
  }
  for (Index i = 0; i < rows; i += 7) table.values(i, i % 3) = std::nan("");
  return table;
}

TablePlan table_plan() {
  TablePlan plan;
  plan.impute = ImputeMethod::mean;
  plan.threads = 1;
  return plan;
}

struct Case {
  Table table;
  Target target;
  TrainingPlan plan;
  CvOptions options;
};

Case make_case(int n_classes, const std::string& metric, Index rows = 60) {
  Case made;
  made.table = wild_table(rows, n_classes, 1);
  made.plan.problem.loss = "auto";
  made.target = make_target(made.table, "auto");
  made.options.metric = choose_metric(metric, made.target);
  made.options.threads = 1;
  return made;
}

CrossValidation validate(const Case& c, const CvGrid& grid, int folds = 3) {
  const auto data = make_table_dataset(c.table, c.target, table_plan());
  return cross_validate(*data, make_folds(c.target, folds, 4), c.plan, grid, c.options);
}

/// One fold's score at one alpha, step by step, from tables that hold the training rows and the test rows alone.
double score_by_hand(const Case& c, const Fold& fold, const std::string& alpha) {
  const Table known = select_rows(c.table, fold.training), fresh = select_rows(c.table, fold.test);
  TrainingPlan plan = c.plan;
  plan.alpha = alpha;
  const TrainingInput input = make_training_input(known, c.target.rows(fold.training), table_plan());
  const Model model = train_model(input, plan).model;
  Table used = fresh;
  const Preparation preparation = model.table->preparation.only(model.table->used_columns);
  used.columns = preparation.columns;
  used.categories = preparation.categories;
  used.values = fresh.values(Eigen::all, model.table->used_columns);
  const auto scorer = make_table_scorer(model, preparation.apply(used), 1);
  const Matrix scores = scorer->scores(0, scorer->n_rows()).values;
  return *value_of(c.options.metric, evaluate(model, c.target.rows(fold.test), scores));
}

class ScoresOf : public testing::TestWithParam<std::pair<int, std::string>> {};

TEST_P(ScoresOf, ModelsThatNeverSawTheTestRows) {
  const auto& [n_classes, metric] = GetParam();
  Case c = make_case(n_classes, metric);
  c.plan.settings.tol = 1e-7;  // warm and cold starts then agree to many digits
  const CvGrid grid{parse_alphas({"0.5max", "0.1max", "0.03max"}), {}, {}};
  const CrossValidation result = validate(c, grid);
  const auto folds = make_folds(c.target, 3, 4);
  ASSERT_EQ(result.points.size(), 3u);
  for (std::size_t p = 0; p < 3; ++p) {
    ASSERT_EQ(result.points[p].scores.size(), 3u);
    for (std::size_t f = 0; f < 3; ++f)
      EXPECT_NEAR(result.points[p].scores[f], score_by_hand(c, folds[f], grid.alphas.text(p)), 1e-3)
          << "point " << p << ", fold " << f;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ScoresOf,
                         testing::Values(std::pair{0, "rmse"}, std::pair{0, "r2"}, std::pair{2, "log_loss"},
                                         std::pair{2, "auc"}, std::pair{3, "log_loss"}, std::pair{3, "accuracy"}));

TEST(CrossValidation, NothingOfATestRowReachesTheOthers) {
  // A single test row is made enormous. Leaked into scaling, widths, normalisation or imputation it would change every
  // score; here it may change its own alone.
  const Case c = make_case(2, "accuracy");
  Table changed = c.table;
  const Index outlier = 5;
  for (Index j = 0; j < 3; ++j) changed.values(outlier, j) = 1e6;
  std::vector<Index> training, test;
  for (Index row = 0; row < c.table.rows(); ++row) (row < 12 ? test : training).push_back(row);
  const auto scores = [&](const Table& table) {
    const auto data = make_table_dataset(table, c.target, table_plan());
    const auto rows = data->learn_from(training, {1, 0});
    TrainingPlan plan = c.plan;
    return rows->scores(train_model(rows->input(), plan).model.fits, test).values;
  };
  const Matrix before = scores(c.table), after = scores(changed);
  for (Index k = 0; k < before.rows(); ++k) {
    if (test[static_cast<std::size_t>(k)] == outlier) EXPECT_NE(before(k, 0), after(k, 0));
    else EXPECT_EQ(before(k, 0), after(k, 0)) << "test row " << k;
  }
  // The same change in a training row is felt by all: the test above can fail.
  Table leaked = c.table;
  for (Index j = 0; j < 3; ++j) leaked.values(30, j) = 1e6;
  EXPECT_FALSE((scores(leaked).array() == before.array()).any());
}

TEST(CrossValidation, TheRefitIsTrainingAtTheChosenPoint) {
  Case c = make_case(2, "log_loss");
  c.plan.problem.penalty = "elasticnet";
  const CvGrid grid{log_spaced_alphas(6, 0.01), {0.3, 0.9}, {}};
  const CrossValidation result = validate(c, grid);
  ASSERT_EQ(result.points.size(), 12u);
  const TrainingPlan plan = chosen_plan(result, c.plan);
  EXPECT_EQ(plan.problem.l1_ratio, result.choice().l1_ratio);
  EXPECT_EQ(plan.problem.penalty, "elasticnet");
  const auto data = make_table_dataset(c.table, c.target, table_plan());
  const auto rows = data->learn_from(all_kernels(c.table.rows()), {1, 0});
  const Model refit = train_model(rows->input(), plan).model;
  TrainingPlan typed = c.plan;  // as a user would type it
  typed.alpha = AlphaGrid{{result.choice().alpha}, true}.text(0);
  typed.problem.l1_ratio = result.choice().l1_ratio;
  const Model trained = train_model(make_training_input(c.table, c.target, table_plan()), typed).model;
  EXPECT_TRUE(refit.fits[0].expansion.dual == trained.fits[0].expansion.dual);
  EXPECT_EQ(refit.fits[0].expansion.kernels, trained.fits[0].expansion.kernels);
  EXPECT_EQ(refit.fits[0].problem.alpha, trained.fits[0].problem.alpha);
}

TEST(CrossValidation, KernelListsAreScoredAsIfEachWereAlone) {
  Case c = make_case(3, "log_loss");
  CvGrid grid{log_spaced_alphas(3, 0.03), {}, {}};
  grid.kernels = presets_to_try("auto", false);
  const CrossValidation result = validate(c, grid);
  ASSERT_EQ(result.points.size(), grid.n_points());
  ASSERT_EQ(grid.n_points(), 9u);
  for (std::size_t k = 0; k < 3; ++k) {
    TablePlan plan = table_plan();
    plan.kernels.spec = grid.kernels[k];
    const auto alone = make_table_dataset(c.table, c.target, plan);
    const auto one = cross_validate(*alone, make_folds(c.target, 3, 4), c.plan, {grid.alphas, {}, {}}, c.options);
    for (std::size_t p = 0; p < 3; ++p) {
      EXPECT_EQ(result.points[3 * k + p].kernels, grid.kernels[k]);
      EXPECT_EQ(result.points[3 * k + p].scores, one.points[p].scores);
      EXPECT_LE(result.points[result.best].mean, one.points[p].mean);
    }
  }
  EXPECT_TRUE(CrossValidation::same_shape(result.points[result.one_standard_error], result.points[result.best]));
}

TEST(CrossValidation, TheFamiliarMetricIsThereBesideTheOneThatChooses) {
  for (const auto& [classes, metric, familiar] :
       {std::tuple{3, "log_loss", "accuracy"}, std::tuple{2, "auc", "accuracy"}, std::tuple{0, "rmse", "r2"}}) {
    const Case c = make_case(classes, metric), other = make_case(classes, familiar);
    const CvGrid grid{log_spaced_alphas(3, 0.03), {}, {}};
    const CrossValidation result = validate(c, grid), direct = validate(other, grid);
    EXPECT_EQ(name_of(result.familiar), familiar);
    for (std::size_t p = 0; p < 3; ++p) EXPECT_DOUBLE_EQ(result.points[p].familiar, direct.points[p].mean);
  }
}

TEST(CrossValidation, ChoosesByProbabilitiesWhereThereAreAny) {
  Case c = make_case(2, "auto");
  EXPECT_EQ(c.options.metric, Metric::log_loss);
  c.target.loss = "hinge";
  EXPECT_EQ(choose_metric("auto", c.target), Metric::accuracy);
  EXPECT_EQ(make_case(0, "auto").options.metric, Metric::rmse);
}

TEST(CrossValidation, TheChoiceIsTheBestMeanOrTheSparsestWithinAStandardError) {
  for (const auto& [classes, metric] : {std::pair{2, "accuracy"}, std::pair{0, "rmse"}}) {
    Case c = make_case(classes, metric, 80);
    c.options.one_standard_error = true;
    const CrossValidation result = validate(c, {log_spaced_alphas(15, 0.005), {}, {}}, 5);
    const double sign = larger_is_better(result.metric) ? 1 : -1;
    const CvPoint& best = result.points[result.best];
    EXPECT_EQ(result.chosen, result.one_standard_error);
    for (std::size_t p = 0; p < result.points.size(); ++p) {
      const CvPoint& point = result.points[p];
      double sum = 0, squares = 0;
      for (const double score : point.scores) sum += score;
      for (const double score : point.scores) squares += (score - sum / 5) * (score - sum / 5);
      EXPECT_NEAR(point.mean, sum / 5, 1e-12);
      EXPECT_NEAR(point.standard_error, std::sqrt(squares / 4 / 5), 1e-12);
      EXPECT_LE(sign * point.mean, sign * best.mean);
      if (p < result.chosen) EXPECT_GT(sign * (best.mean - point.mean), best.standard_error);
    }
    EXPECT_LE(sign * (best.mean - result.choice().mean), best.standard_error);
    EXPECT_GE(result.choice().alpha, best.alpha);
  }
}

TEST(CrossValidation, DoesNotDependOnTheNumberOfThreads) {
  Case c = make_case(3, "accuracy");
  const CvGrid grid{log_spaced_alphas(5, 0.01), {}, {}};
  const CrossValidation one = validate(c, grid, 5);
  c.options.threads = 3;
  const CrossValidation three = validate(c, grid, 5);
  for (std::size_t p = 0; p < one.points.size(); ++p) EXPECT_EQ(one.points[p].scores, three.points[p].scores);
}

TEST(CrossValidation, PrecomputedKernelsGiveTheScoresOfTheirTable) {
  Case c = make_case(2, "log_loss");
  for (double& value : c.table.values.reshaped())
    if (std::isnan(value)) value = 0;
  const test::TemporaryFolder folder;
  TablePlan rows = table_plan();
  rows.kernels.standardize = false;
  rows.kernels.spec = folder.write("k.json", R"([{"type": "gaussian", "width": [0.5, 1, 2], "columns": ["a", "b", "c"],
                                                 "normalize": "none"},
                                                {"type": "linear", "columns": ["a"], "normalize": "none"}])");
  const TrainingInput input = make_training_input(c.table, c.target, rows);
  std::vector<Matrix> grams;
  for (const FittedKernel& kernel : input.table->kernels) {
    grams.emplace_back(c.table.rows(), c.table.rows());
    kernel.gram(*input.table->samples, grams.back(), 1);
  }
  const CvGrid grid{log_spaced_alphas(4, 0.05), {}, {}};
  const auto folds = make_folds(c.target, 4, 2);
  c.plan.settings.tol = 1e-10;
  const auto table = make_table_dataset(c.table, c.target, rows);
  const auto gram = make_gram_dataset(testing_support::bank_of(grams), c.target, Vector());
  const CrossValidation of_table = cross_validate(*table, folds, c.plan, grid, c.options);
  const CrossValidation of_grams = cross_validate(*gram, folds, c.plan, grid, c.options);
  for (std::size_t p = 0; p < of_table.points.size(); ++p)
    for (std::size_t f = 0; f < folds.size(); ++f)
      EXPECT_NEAR(of_table.points[p].scores[f], of_grams.points[p].scores[f], 1e-5);
  EXPECT_EQ(of_table.chosen, of_grams.chosen);
}

TEST(CrossValidation, SampleWeightsGoWithTheirRows) {
  // Rows of weight 2 count as two rows.
  testing_support::Generator random(5);
  const testing_support::Samples samples = testing_support::random_samples(20, random);
  const std::vector<Matrix> grams = testing_support::random_kernels(samples.X, 4, random);
  std::vector<Index> twice = all_kernels(20);
  twice.insert(twice.end(), {3, 8});
  std::vector<Matrix> doubled;
  for (const Matrix& K : grams) doubled.push_back(K(twice, twice));
  Target target;
  target.loss = "squared";
  target.numbers = samples.targets;
  Vector weights = Vector::Ones(20);
  weights(3) = weights(8) = 2;
  TrainingPlan plan;
  plan.problem.penalty = "uniform";
  plan.settings.tol = 1e-9;
  CvOptions options;
  options.metric = Metric::rmse;
  options.threads = 1;
  const CvGrid grid{absolute_alphas({1, 0.1}), {}, {}};
  const std::vector<Index> test = {15, 16, 17, 18, 19};
  std::vector<Index> training = all_kernels(15), training_twice = training;
  training_twice.insert(training_twice.end(), {20, 21});
  const auto weighted = make_gram_dataset(testing_support::bank_of(grams), target, weights);
  const auto repeated = make_gram_dataset(testing_support::bank_of(doubled), target.rows(twice), Vector());
  const CrossValidation a = cross_validate(*weighted, {{training, test}}, plan, grid, options);
  const CrossValidation b = cross_validate(*repeated, {{training_twice, test}}, plan, grid, options);
  for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(a.points[p].mean, b.points[p].mean, 1e-6);
}

TEST(CrossValidation, IndefiniteKernelsAreMendedOnTheTrainingRowsOfAFold) {
  testing_support::Generator random(6);
  const testing_support::Samples samples = testing_support::random_samples(24, random);
  Matrix K = testing_support::random_kernels(samples.X, 1, random).front();
  K.diagonal().array() -= 0.5 * K.diagonal().mean();
  const std::vector<Index> training = all_kernels(18), test = {18, 19, 20, 21, 22, 23};
  // The same by hand: of the training rows' block, negative eigenvalues are cut off; test rows lose those directions.
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(K(training, training));
  ASSERT_LT(solver.eigenvalues()(0), -1e-3);
  const Vector kept = (solver.eigenvalues().array() > 0).cast<double>();
  const Matrix project = solver.eigenvectors() * kept.asDiagonal() * solver.eigenvectors().transpose();
  Matrix by_hand = K;
  by_hand(training, training) = K(training, training) * project;
  by_hand(training, test) = project * K(training, test);
  by_hand(test, training) = K(test, training) * project;
  Target target;
  target.loss = "squared";
  target.numbers = samples.targets;
  TrainingPlan plan;
  plan.settings.tol = 1e-10;
  CvOptions options;
  options.metric = Metric::rmse;
  options.threads = 1;
  const CvGrid grid{absolute_alphas({0.1, 0.01}), {}, {}};
  const auto scores = [&](const Matrix& gram, PsdMethod psd) {
    const auto data = make_gram_dataset(testing_support::bank_of({gram}), target, Vector(), psd);
    return cross_validate(*data, {{training, test}}, plan, grid, options);
  };
  const CrossValidation mended = scores(K, PsdMethod::clip), expected = scores(by_hand, PsdMethod::refuse);
  for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(mended.points[p].mean, expected.points[p].mean, 1e-6);
}

TEST(CrossValidation, LeavesOutWhatComesAfterScoresHaveClearlyGotWorse) {
  Case c = make_case(3, "log_loss");
  CvGrid grid{log_spaced_alphas(12, 0.0001), {}, {}};
  const CrossValidation whole = validate(c, grid);
  EXPECT_EQ(whole.n_scored, 12) << "all of them, unless it is allowed";
  grid.may_end_early = true;
  const CrossValidation part = validate(c, grid);
  EXPECT_TRUE(part.complete);
  EXPECT_LT(part.n_scored, 12);
  ASSERT_GT(part.n_scored, 3);
  EXPECT_EQ(part.chosen, whole.chosen);
  for (std::size_t p = 0; p < part.points.size(); ++p)
    for (std::size_t f = 0; f < 3; ++f) {
      const double score = part.points[p].scores[f];
      if (!std::isnan(score)) EXPECT_EQ(score, whole.points[p].scores[f]);
      else EXPECT_GT(whole.points[p].scores[f], whole.points[whole.best].scores[f]);
    }
}

TEST(CrossValidation, StopsWhenAsked) {
  Case c = make_case(2, "accuracy");
  std::atomic<int> asked = 0;
  c.plan.settings.watch = Watch::asking([&] { return ++asked > 40; });
  c.options.threads = 2;
  EXPECT_FALSE(validate(c, {log_spaced_alphas(20, 0.001), {}, {}}, 5).complete);
}

TEST(CrossValidation, RefusesWhatItCannotScoreOrTry) {
  Case c = make_case(2, "accuracy");
  expect_refused([&] { choose_metric("rmse", c.target); }, "does not suit classes");
  expect_refused([&] { choose_metric("nothing", c.target); }, "'nothing' is not known");
  Target hinge = c.target;
  hinge.loss = "hinge";
  expect_refused([&] { choose_metric("log_loss", hinge); }, "needs probabilities");
  expect_refused([&] { validate(c, {log_spaced_alphas(3, 0.1), {0.5}, {}}); }, "grid of l1_ratio");
  expect_refused([&] { validate(c, {log_spaced_alphas(3, 0.1), {}, {1.5}}); }, "grid of q");
  c.plan.problem.penalty = "elasticnet";
  expect_refused([&] { validate(c, {log_spaced_alphas(3, 0.1), {1.5}, {}}); }, "l1_ratio is 1.5");
}

TEST(CrossValidation, AMetricThatAFoldDoesNotDefineIsRefused) {
  Case c = make_case(2, "auc");
  std::vector<Fold> folds(1);
  for (Index row = 0; row < c.table.rows(); ++row)
    (c.target.codes[static_cast<std::size_t>(row)] == 0 && row < 30 ? folds[0].test : folds[0].training).push_back(row);
  const auto data = make_table_dataset(c.table, c.target, table_plan());
  expect_refused(
      [&] {
        cross_validate(*data, folds, c.plan, {log_spaced_alphas(2, 0.1), {}, {}}, c.options);
      },
      "auc is not defined");
}

TEST(Options, TheTableNamesEveryOptionOfTheLibrary) {
  const std::string json = option_tables_json();
  for (const char* word : {"\"loss\"", "\"l1_ratio\"", "\"fit_intercept\"", "\"--no-intercept\"", "\"kernels\"",
                           "\"n_alphas\"", "\"one_standard_error\"", "\"0.03max\"", "\"balanced_accuracy\""})
    EXPECT_NE(json.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace spicymkl
