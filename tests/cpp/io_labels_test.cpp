// Targets as classes or numbers; missing cells counted, filled, recoded.
#include <gtest/gtest.h>

#include <cmath>

#include "io/labels.hpp"
#include "io_files.hpp"
#include "spicymkl/io/imputer.hpp"
#include "spicymkl/io/read_table.hpp"

namespace spicymkl {
namespace {

using Texts = std::vector<std::string>;

/// Rows on lines 2, 3, …; one column, x.
Table with_targets(const Texts& targets) {
  Table table;
  table.path = "t.csv";
  table.columns = {"x"};
  table.categories.resize(1);
  table.values = Matrix::Zero(static_cast<Index>(targets.size()), 1);
  table.target_name = "y";
  table.target = targets;
  for (std::size_t i = 0; i < targets.size(); ++i) table.lines.push_back(static_cast<Index>(i) + 2);
  return table;
}

TEST(Labels, TwoClassesBecomeMinusAndPlusOne) {
  const ClassLabels labels = class_labels(with_targets({"yes", "no", "yes"}));
  EXPECT_EQ(labels.classes, (Texts{"no", "yes"}));
  EXPECT_TRUE(labels.is_binary());
  EXPECT_EQ(labels.values(), (Vector(3) << 1, -1, 1).finished());
}

TEST(Labels, NumbersAreSortedByValueAndSpelledOneWay) {
  EXPECT_EQ(class_labels(with_targets({"10", "9", "-1"})).classes, (Texts{"-1", "9", "10"}));
  const ClassLabels labels = class_labels(with_targets({"+1", "-1.0", "1", "1e0", "-1"}));
  EXPECT_EQ(labels.classes, (Texts{"-1", "1"}));
  EXPECT_EQ(labels.codes, (std::vector<Index>{1, 0, 1, 1, 0}));
  EXPECT_EQ(class_labels(with_targets({"0", "-0", "1"})).classes, (Texts{"0", "1"}));
}

TEST(Labels, ATextAmongNumbersMakesThemAllTexts) {
  EXPECT_EQ(class_labels(with_targets({"10", "9", "b", "1.0", "1"})).classes, (Texts{"1", "1.0", "10", "9", "b"}));
}

TEST(Labels, MoreClassesKeepTheirCodes) {
  const ClassLabels labels = class_labels(with_targets({"c", "a", "b", "a"}));
  EXPECT_FALSE(labels.is_binary());
  EXPECT_EQ(labels.values(), (Vector(4) << 2, 0, 1, 0).finished());
}

TEST(Labels, OneClassIsRefused) {
  const std::string sentence = test::refusal([] { class_labels(with_targets({"1", "1.0"})); });
  for (const std::string part : {"t.csv", "column 'y'", "2 rows", "'1'", "two classes"})
    test::expect_contains(sentence, part);
}

TEST(Labels, AMissingTargetIsRefusedWithItsLine) {
  const Table table = with_targets({"a", "", "b"});
  test::expect_contains(test::refusal([&] { class_labels(table); }), "t.csv, line 3, column 'y'");
  test::expect_contains(test::refusal([&] { regression_targets(table); }), "t.csv, line 3, column 'y'");
  test::expect_contains(test::refusal([&] { target_values(table); }), "line 3");
}

TEST(Labels, ATableWithoutTargetIsRefused) {
  Table table = with_targets({"1", "2"});
  table.target_name.clear();
  table.target.clear();
  test::expect_contains(test::refusal([&] { class_labels(table); }), "target");
  test::expect_contains(test::refusal([&] { regression_targets(table); }), "target");
}

TEST(Labels, ClassesOfAModelAreKept) {
  const ClassLabels labels = class_labels(with_targets({"2.0", "2"}), {"-1", "2", "5"});
  EXPECT_EQ(labels.codes, (std::vector<Index>{1, 1}));
  EXPECT_EQ(labels.values(), (Vector(2) << 1, 1).finished());
  EXPECT_EQ(class_labels(with_targets({"b", "b"}), {"a", "b"}).values(), Vector::Ones(2));
  const std::string sentence = test::refusal([] { class_labels(with_targets({"a", "c"}), {"a", "b"}); });
  test::expect_contains(sentence, "t.csv, line 3, column 'y': 'c' is not among the 2 classes");
  test::expect_contains(test::refusal([] { class_labels(with_targets({"1", "x"}), {"1", "2"}); }), "'x'");
}

TEST(Labels, RegressionTakesFiniteNumbersOnly) {
  EXPECT_EQ(regression_targets(with_targets({"1.5", "-2e3", "+7"})), (Vector(3) << 1.5, -2000, 7).finished());
  for (const std::string bad : {"abc", "inf", "1e999", "1;2"}) {
    const std::string sentence = test::refusal([&] { regression_targets(with_targets({"1", bad})); });
    test::expect_contains(sentence, "t.csv, line 3, column 'y'");
    test::expect_contains(sentence, "'" + bad + "'");
  }
}

TEST(Labels, ClassesHaveTheSpellingOfTheTable) {
  EXPECT_EQ(class_labels(with_targets({"1.0", "0.0", "1.0"})).classes, (Texts{"0.0", "1.0"}));
  EXPECT_EQ(class_labels(with_targets({"1.0", "0", "1"})).classes, (Texts{"0", "1"}));
  EXPECT_EQ(class_labels(with_targets({"True", "False"})).classes, (Texts{"False", "True"}));
}

TEST(Labels, WhatSpeaksForClassesOrNumbers) {
  const TargetValues whole = target_values(with_targets({"1", "2", "1.0"}));
  EXPECT_TRUE(whole.numbers && whole.whole);
  EXPECT_EQ(whole.different, 2);
  EXPECT_FALSE(target_values(with_targets({"1", "2", "1.5"})).whole);
  const TargetValues texts = target_values(with_targets({"1", "2", "3", "x"}));
  EXPECT_FALSE(texts.numbers || texts.whole);
  EXPECT_EQ(texts.different, 4);
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Table with_values(const Matrix& values) {
  Table table;
  table.path = "t.csv";
  table.values = values;
  for (Index j = 0; j < values.cols(); ++j) table.columns.push_back(std::string(1, static_cast<char>('a' + j)));
  table.categories.resize(table.columns.size());
  for (Index i = 0; i < values.rows(); ++i) table.lines.push_back(10 + i);
  return table;
}

TEST(Complete, CountsAndNamesTheFirstPlace) {
  check_complete(with_values(Matrix::Ones(2, 2)));
  // The first in reading order: row before column.
  const Table table = with_values((Matrix(3, 2) << 1, 2, 3, kNone, kNone, kNone).finished());
  const std::string sentence = test::refusal([&] { check_complete(table); });
  test::expect_contains(sentence, "t.csv, line 11, column 'b'");
  test::expect_contains(sentence, "3 cells");
  test::expect_one_sentence(sentence);
  test::expect_contains(test::refusal([] { check_complete(with_values((Matrix(1, 1) << kNone).finished())); }),
                        "1 cell ");
}

TEST(Imputer, LearnsFromItsRowsAlone) {
  const Table table =
      with_values((Matrix(6, 2) << 1, 5, 3, kNone, kNone, 7, 10, 9, 1000, 1000, kNone, kNone).finished());
  const std::vector<Index> training{0, 1, 2, 3};
  EXPECT_EQ(fit_imputer(table, ImputeMethod::median, training).fill, (Vector(2) << 3, 7).finished());
  EXPECT_NEAR(fit_imputer(table, ImputeMethod::mean, training).fill(0), 14.0 / 3, 1e-15);
  Matrix values = table.values;
  fit_imputer(table, ImputeMethod::median, training).apply(values);
  EXPECT_EQ(values, (Matrix(6, 2) << 1, 5, 3, 7, 3, 7, 10, 9, 1000, 1000, 3, 7).finished());
  EXPECT_EQ(fit_imputer(table, ImputeMethod::median).fill(0), 6.5);  // of an even number: 3 and 10
}

TEST(Imputer, ExtremeValuesDoNotOverflow) {
  const Table table = with_values((Matrix(2, 1) << 1.6e308, 1.4e308).finished());
  EXPECT_NEAR(fit_imputer(table, ImputeMethod::mean).fill(0) / 1.5e308, 1, 1e-15);
  EXPECT_NEAR(fit_imputer(table, ImputeMethod::median).fill(0) / 1.5e308, 1, 1e-15);
}

TEST(Imputer, ACategoryIsFilledWithTheMostFrequent) {
  Table table = with_values((Matrix(5, 1) << 2, 2, 0, kNone, 1).finished());
  table.categories[0] = {"r", "g", "b"};
  EXPECT_EQ(fit_imputer(table, ImputeMethod::mean).fill(0), 2);
  EXPECT_EQ(fit_imputer(table, ImputeMethod::median).fill(0), 2);
}

TEST(Imputer, AColumnWithoutValuesIsRefused) {
  const Table table = with_values((Matrix(2, 2) << 1, kNone, 2, 5).finished());
  const std::vector<Index> training{0};
  const std::string sentence = test::refusal([&] { fit_imputer(table, ImputeMethod::mean, training); });
  test::expect_contains(sentence, "t.csv: column 'b'");
  test::expect_one_sentence(sentence);
}

TEST(Imputer, HasNames) {
  EXPECT_EQ(parse_impute_method("median"), ImputeMethod::median);
  EXPECT_EQ(parse_impute_method("mean"), ImputeMethod::mean);
  test::expect_contains(test::refusal([] { parse_impute_method("mode"); }), "'mode'");
}

TEST(Categories, AreRecodedToThoseOfTheTraining) {
  const test::TemporaryFolder folder;
  TableOptions options;
  options.categorical = {"c"};
  Table table = read_table(folder.write("new.csv", "c,x\nred,1\n?,2\nblue,3\n"), options);
  recode_categories(table, {{"green", "blue", "red"}, {}});
  EXPECT_EQ(table.values(0, 0), 2);
  EXPECT_TRUE(std::isnan(table.values(1, 0)));
  EXPECT_EQ(table.values(2, 0), 1);
  EXPECT_EQ(table.categories[0], (Texts{"green", "blue", "red"}));
  Table other = read_table(folder.path("new.csv"), options);
  const std::vector<UnseenCategories> unseen = recode_categories(other, {{"red"}, {}});
  ASSERT_EQ(unseen.size(), 1U);
  EXPECT_EQ(unseen.front().texts, (Texts{"blue"}));
  EXPECT_EQ(unseen.front().n_cells, 1);
  EXPECT_EQ(other.values(2, 0), 1);  // a code that no training row has
  test::expect_contains(test::refusal([&] { refuse_unseen(other, unseen); }), "new.csv, line 4, column 'c': 'blue'");
  test::expect_contains(test::refusal([&] { recode_categories(other, {{"red"}}); }), "2 columns");
}

}  // namespace
}  // namespace spicymkl
