// The curve of a column is what predictions say when that column alone is moved.
#include "spicymkl/model/effects.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "io_files.hpp"
#include "spicymkl/model/model_file.hpp"
#include "support/table_models.hpp"

namespace spicymkl {
namespace {

using test::predict;
using test::random_table;
using test::train_on;

/// The model as another program would read it.
Model from_file(const Model& model) {
  const test::TemporaryFolder folder;
  return load_model(folder.write("m.safetensors", to_bytes(model)));
}

/// Copies of the first row of `table`, with the column moved along the grid.
Table moved_along(const ColumnEffect& effect, const Table& table) {
  Table moved = table;
  moved.values = table.values.row(0).replicate(effect.grid.size(), 1);
  moved.values.col(effect.column) = effect.grid;
  moved.target.assign(effect.grid.size(), table.target.front());
  moved.lines.clear();
  return moved;
}

class Effects : public testing::TestWithParam<std::pair<int, std::string>> {};

TEST_P(Effects, AreTheContributionsOfRowsInWhichOneColumnMoves) {
  const auto& [n_classes, loss] = GetParam();
  const Table table = random_table(60, n_classes, 1);
  const Model model = from_file(train_on(table, loss));
  const std::vector<ColumnEffect> effects = column_effects(model, 17, 1);
  ASSERT_FALSE(effects.empty());
  for (const ColumnEffect& effect : effects) {
    SCOPED_TRACE(effect.name);
    EXPECT_EQ(effect.name, table.columns[effect.column]);
    const Scores direct = predict(model, moved_along(effect, table));
    for (std::size_t f = 0; f < model.fits.size(); ++f) {
      const auto& active = model.fits[f].expansion.kernels;
      Vector sum = Vector::Zero(effect.grid.size());
      for (std::size_t k = 0; k < effect.kernels.size(); ++k) {
        const auto found = std::ranges::find(active, effect.kernels[k]);
        const Vector expected = found == active.end() ? Vector(Vector::Zero(effect.grid.size()))
                                                      : Vector(direct.shares[f].col(found - active.begin()));
        EXPECT_LE((effect.parts[f].col(k) - expected).cwiseAbs().maxCoeff(), 1e-12);
        sum += expected;
      }
      EXPECT_LE((effect.total.col(f) - sum).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Effects,
                         testing::Values(std::pair{0, "squared"}, std::pair{2, "logistic"}, std::pair{3, "hinge"}));

TEST(Effects, AllKernelsOnOneColumnAreThere) {
  const Model model = train_on(random_table(60, 3, 1), "auto");
  std::set<Index> expected, found;
  for (const Index m : model.table->active)
    if (model.table->specs[m]->columns.size() == 1) expected.insert(m);
  for (const ColumnEffect& effect : column_effects(model)) {
    EXPECT_FALSE(effect.kernels.empty());
    found.insert(effect.kernels.begin(), effect.kernels.end());
    for (const Index m : effect.kernels) EXPECT_EQ(model.table->specs[m]->columns.front(), effect.column);
  }
  EXPECT_EQ(found, expected);
}

TEST(Effects, GridAndDensityAreInTheUnitsOfTheTable) {
  Table table = random_table(60, 0, 1);
  for (Index i = 0; i < 60; ++i) table.values(i, 0) = 1000 + 250 * table.values(i, 0);
  for (Index i = 0; i < 60; ++i)
    if (i != 7) table.values(i, 2) = static_cast<double>(i % 3);
  for (Index i = 0; i < 60; ++i) table.target[i] = std::to_string(table.values(i, 0) + 20 * static_cast<double>(i % 3));
  const Model model = from_file(train_on(table, "squared"));
  const auto effects = column_effects(model, 21);
  std::map<std::string, ColumnEffect> by_name;
  for (const ColumnEffect& effect : effects) by_name[effect.name] = effect;
  const ColumnEffect& a = by_name.at("a");
  const auto values = table.values.col(0);
  EXPECT_EQ(a.grid.size(), 21);
  EXPECT_NEAR(a.grid(0), values.minCoeff(), 1e-8);
  EXPECT_NEAR(a.grid(20), values.maxCoeff(), 1e-8);
  ASSERT_GT(a.density.bin_width, 0);
  for (Index k = 0; k < a.density.places.size(); ++k) {
    const double left = a.density.places(k) - a.density.bin_width / 2, right = left + a.density.bin_width;
    const Index inside = (values.array() > left + 1e-6 && values.array() < right - 1e-6).count();
    const Index around = (values.array() > left - 1e-6 && values.array() < right + 1e-6).count();
    EXPECT_GE(a.density.counts[k], inside);
    EXPECT_LE(a.density.counts[k], around);
  }
  EXPECT_EQ(std::accumulate(a.density.counts.begin(), a.density.counts.end(), Index{0}), 60);
  const ColumnEffect& colour = by_name.at("colour");
  EXPECT_EQ(colour.categories, table.categories[2]);
  EXPECT_EQ(colour.grid, Vector::LinSpaced(3, 0, 2));
  EXPECT_EQ(colour.density.bin_width, 0);
  for (Index c = 0; c < 3; ++c) {
    // The one missing cell was filled in by the most frequent category.
    const Index given = (table.values.col(2).array() == static_cast<double>(c)).count();
    EXPECT_GE(colour.density.counts[c], given);
    EXPECT_LE(colour.density.counts[c], given + 1);
  }
}

TEST(Effects, ManyCategoriesAreCountedOneByOne) {
  Table table = random_table(120, 0, 1);
  table.categories[2].clear();
  for (int c = 0; c < 40; ++c) table.categories[2].push_back("kind " + std::to_string(c));
  for (Index i = 0; i < 120; ++i) {
    table.values(i, 2) = static_cast<double>(i % 40);
    table.target[i] = std::to_string(i % 40 < 20 ? 1 : -1);
  }
  const auto effects = column_effects(train_on(table, "squared"));
  const auto found = std::ranges::find(effects, "colour", &ColumnEffect::name);
  ASSERT_NE(found, effects.end());
  EXPECT_EQ(found->density.places, Vector::LinSpaced(40, 0, 39));
  EXPECT_EQ(found->density.counts, std::vector<Index>(40, 3));
}

TEST(Effects, TheSpreadIsTheDeviationOverTheTrainingRows) {
  const Table table = random_table(60, 2, 1);
  const Model model = train_on(table, "logistic");
  const Scores direct = predict(model, table);
  for (const ColumnEffect& effect : column_effects(model)) {
    Vector sum = Vector::Zero(60);
    const auto& active = model.fits[0].expansion.kernels;
    for (const Index m : effect.kernels) sum += direct.shares[0].col(std::ranges::find(active, m) - active.begin());
    EXPECT_NEAR(effect.spread(0), std::sqrt((sum.array() - sum.mean()).square().mean()), 1e-12);
  }
}

TEST(Effects, ACosineIsZeroAtZero) {
  const test::TemporaryFolder folder;
  KernelChoice kernels;
  kernels.spec =
      folder.write("k.json", R"([{"type": "cosine", "columns": ["a"]}, {"type": "linear", "columns": ["d"]}])");
  kernels.standardize = false;
  Table table = random_table(60, 0, 1);
  for (Index i = 0; i < 60; ++i) table.values(i, 0) = i % 2 == 0 ? -1 : 1;
  for (Index i = 0; i < 60; ++i) table.target[i] = std::to_string(table.values(i, 0) + 10 * table.values(i, 3));
  const Model model = train_on(table, "squared", kernels);
  ASSERT_EQ(active_kernels(model.fits), (std::vector<Index>{0, 1}));
  const auto effects = column_effects(model, 3);
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects.front().grid, (Vector{{-1, 0, 1}}));
  EXPECT_EQ(effects.front().total(1, 0), 0);
  EXPECT_GT(effects.front().total(2, 0), 0);
}

TEST(Effects, PrecomputedKernelsHaveNone) {
  Model model = train_on(random_table(60, 2, 1), "auto");
  model.table.reset();
  EXPECT_TRUE(column_effects(model).empty());
}

}  // namespace
}  // namespace spicymkl
