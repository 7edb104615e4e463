// What a model file gives back is what was put in, to the bit.
#include "spicymkl/model/model_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "io/atomic_file.hpp"
#include "io_files.hpp"
#include "model/decision.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/model/scores.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/pipeline/training_table.hpp"

namespace spicymkl {
namespace {

Table random_table(Index rows, int n_classes, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Table table;
  table.path = "made.csv";
  table.columns = {"a", "b", "colour", "d"};
  table.categories = {{}, {}, {"blue", "green", "red"}, {}};
  table.target_name = "y";
  table.values.resize(rows, 4);
  for (Index i = 0; i < rows; ++i) {
    for (const Index j : {0, 1, 3}) table.values(i, j) = normal(random) * 0.1 + 1.0 / 3;
    table.values(i, 2) = static_cast<double>(random() % 3);
    const double f = table.values(i, 0) + 0.3 * table.values(i, 2);
    const int level = static_cast<int>(5 * f + 50);
    table.target.push_back(n_classes == 0 ? std::to_string(f) : std::to_string(level % n_classes) + " of them");
  }
  if (rows > 9) table.values(3, 1) = table.values(7, 2) = std::nan("");
  return table;
}

Model train_on(const Table& table, const std::string& loss) {
  const Target target = make_target(table, loss);
  const TrainingTable training = make_training_table(table, ImputeMethod::median, KernelChoice{}, 1);
  const auto bank = make_exact_bank(std::make_shared<const Samples>(training.samples), training.kernels, 1);
  TrainingPlan plan;
  Model model;
  model.classes = target.classes;
  model.n_samples = table.rows();
  for (const FittedKernel& kernel : training.kernels) model.kernel_names.push_back(kernel.spec().name);
  model.tol = plan.settings.tol;
  for (Index f = 0; f < target.n_fits(); ++f) model.fits.push_back(train_fit(bank, nullptr, target, f, plan).fit);
  model.table = make_table_model("y", training.preparation, training.samples, training.kernels, model.fits);
  return model;
}

/// The columns that the model uses.
Samples prepared(const Model& model, const Table& table) {
  const Preparation used = model.table->preparation.only(model.table->used_columns);
  Table reduced = table;
  reduced.columns = used.columns;
  reduced.categories = used.categories;
  reduced.values = table.values(Eigen::all, model.table->used_columns);
  return used.apply(reduced);
}

Scores predict(const Model& model, const Table& table) {
  const auto scorer = make_table_scorer(model, prepared(model, table), 1);
  return scorer->scores(0, scorer->n_rows());
}

class ModelFile : public testing::TestWithParam<std::pair<int, std::string>> {};

TEST_P(ModelFile, PredictionsOfALoadedModelAreBitwiseThoseOfTheFittedOne) {
  const auto& [n_classes, loss] = GetParam();
  const Model fitted = train_on(random_table(60, n_classes, 1), loss);
  const test::TemporaryFolder folder;
  const std::string path = folder.path("m.safetensors");
  write_file(path, to_bytes(fitted));
  const Model loaded = load_model(path);
  const Table fresh = random_table(100, n_classes, 2);
  const Scores before = predict(fitted, fresh), after = predict(loaded, fresh);
  EXPECT_TRUE(before.values == after.values);
  ASSERT_EQ(before.shares.size(), after.shares.size());
  for (std::size_t f = 0; f < before.shares.size(); ++f) EXPECT_TRUE(before.shares[f] == after.shares[f]);
  EXPECT_EQ(to_bytes(loaded), to_bytes(fitted));
}

INSTANTIATE_TEST_SUITE_P(All, ModelFile,
                         testing::Values(std::pair{0, "squared"}, std::pair{2, "logistic"}, std::pair{3, "hinge"}));

TEST(Model, ScoresDoNotDependOnTheBatch) {
  const Model model = train_on(random_table(60, 2, 1), "auto");
  const Table fresh = random_table(300, 2, 2);
  const Scores whole = predict(model, fresh);
  const auto scorer = make_table_scorer(model, prepared(model, fresh), 3);
  for (const Index first : {Index{0}, Index{1}, Index{77}, Index{299}}) {
    const Index count = std::min<Index>(101, 300 - first);
    EXPECT_TRUE(scorer->scores(first, count).values == whole.values.middleRows(first, count));
  }
}

TEST(Model, ProbabilitiesOfExtremeScoresAreFinite) {
  Model model;
  model.classes = {"a", "b", "c"};
  model.fits.resize(3);
  Matrix scores(2, 3);
  scores << -1e4, -1e4, -1e4, 800, -800, 0;
  const Matrix chances = probabilities(model, scores);
  EXPECT_TRUE(chances.allFinite());
  EXPECT_NEAR(chances.row(0).sum(), 1, 1e-12);
  EXPECT_NEAR(chances.row(1).sum(), 1, 1e-12);
}

}  // namespace
}  // namespace spicymkl
