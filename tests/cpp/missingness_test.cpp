// How missing cells are spread over classes and numbers.
#include "spicymkl/pipeline/missingness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace spicymkl {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Columns m_1, m_2 and c of n rows; the first `n_missing` rows of class 1 (every other row) lack both m.
Table table_of(Index n, Index n_missing) {
  Table table;
  table.columns = {"m_1", "m_2", "c"};
  table.categories.resize(3);
  table.values = Matrix::Ones(n, 3);
  for (Index k = 0; k < n_missing; ++k) table.values(2 * k + 1, 0) = table.values(2 * k + 1, 1) = kNone;
  return table;
}

Target classes_of(Index n) {
  Target target{"logistic", {"0", "1"}, {}, {}};
  for (Index i = 0; i < n; ++i) target.codes.push_back(i % 2);
  return target;
}

TEST(Missingness, IsThatOfEachSourceAndClass) {
  const auto sources = missing_by_source(table_of(100, 15), classes_of(100), {});
  ASSERT_EQ(sources.size(), 1U);  // c lacks nothing
  EXPECT_EQ(sources[0].name, "m");
  EXPECT_EQ(sources[0].n_missing, 30);
  EXPECT_DOUBLE_EQ(sources[0].share, 0.15);
  EXPECT_EQ(sources[0].class_share, (std::vector<double>{0, 0.3}));
  // Pearson's χ² of {50, 0}, {35, 15} is 17.65, of which the test takes 99/100: p = 2.9e-5.
  EXPECT_NEAR(std::log10(sources[0].p_value), std::log10(2.9e-5), 0.15);
  EXPECT_TRUE(sources[0].is_uneven());
}

TEST(Missingness, ChanceIsNoReasonToWarn) {
  Table table = table_of(100, 0);
  for (const Index row : {0, 1, 2, 5}) table.values(row, 2) = kNone;
  const auto sources = missing_by_source(table, classes_of(100), {});
  ASSERT_EQ(sources.size(), 1U);
  EXPECT_EQ(sources[0].name, "c");
  EXPECT_FALSE(sources[0].is_uneven());
}

TEST(Missingness, GroupsAreSources) {
  const std::vector<ColumnGroup> groups = {{"all", {0, 1, 2}}, {"rest", {2}}};
  const auto sources = missing_by_source(table_of(40, 3), classes_of(40), groups);
  ASSERT_EQ(sources.size(), 1U);
  EXPECT_EQ(sources[0].name, "all");
  EXPECT_EQ(sources[0].n_missing, 6);
}

TEST(Missingness, NumbersAreCorrelated) {
  Table table = table_of(100, 0);
  Target target{"squared", {}, {}, Vector::LinSpaced(100, 0, 1)};
  for (Index i = 70; i < 100; ++i) table.values(i, 2) = kNone;
  const auto sources = missing_by_source(table, target, {});
  ASSERT_EQ(sources.size(), 1U);
  EXPECT_NEAR(sources[0].correlation, 0.79, 0.01);
  EXPECT_TRUE(sources[0].is_uneven());
}

TEST(Missingness, OfACompleteTableIsNothing) {
  EXPECT_TRUE(missing_by_source(table_of(10, 0), classes_of(10), {}).empty());
}

}  // namespace
}  // namespace spicymkl
