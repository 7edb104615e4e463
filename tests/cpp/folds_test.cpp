// Folds: a partition, equal in size and in classes, the same for the same seed.
#include "spicymkl/selection/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/refusal.hpp"

namespace spicymkl {
namespace {

using testing_support::expect_refused;

Target classes_of(const std::vector<Index>& codes, std::size_t n_classes) {
  Target target;
  target.loss = "logistic";
  for (std::size_t c = 0; c < n_classes; ++c) target.classes.push_back(std::string(1, static_cast<char>('a' + c)));
  target.codes = codes;
  return target;
}

Target numbers(Index n) {
  Target target;
  target.loss = "squared";
  target.numbers = Vector::LinSpaced(n, 0, 1);
  return target;
}

/// 100 rows: 61 of a, 27 of b, 12 of c, sorted by class as many files are.
Target sorted_classes() {
  std::vector<Index> codes(61, 0);
  codes.insert(codes.end(), 27, 1);
  codes.insert(codes.end(), 12, 2);
  return classes_of(codes, 3);
}

void expect_partition(const std::vector<Fold>& folds, Index n) {
  std::vector<int> tested(static_cast<std::size_t>(n), 0);
  for (const Fold& fold : folds) {
    std::vector<Index> all = fold.training;
    all.insert(all.end(), fold.test.begin(), fold.test.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, all_kernels(n)) << "training and test rows together are all rows, each once";
    EXPECT_TRUE(std::is_sorted(fold.training.begin(), fold.training.end()));
    for (const Index row : fold.test) ++tested[static_cast<std::size_t>(row)];
  }
  EXPECT_TRUE(std::all_of(tested.begin(), tested.end(), [](int times) { return times == 1; }));
}

TEST(Folds, EveryRowIsTestedOnceAndSizesDifferByOneAtMost) {
  for (const int count : {2, 3, 7, 10}) {
    for (const Target& target : {numbers(53), sorted_classes()}) {
      const auto folds = make_folds(target, count, 5);
      ASSERT_EQ(folds.size(), static_cast<std::size_t>(count));
      expect_partition(folds, target.n_rows());
      const auto [smallest, largest] = std::minmax_element(
          folds.begin(), folds.end(), [](const Fold& a, const Fold& b) { return a.test.size() < b.test.size(); });
      EXPECT_LE(largest->test.size() - smallest->test.size(), 1u);
    }
  }
}

TEST(Folds, EveryPartHasTheSameShareOfEachClass) {
  const Target target = sorted_classes();
  for (const int count : {2, 5, 12}) {
    std::map<Index, std::vector<Index>> counts;  // class → rows in each part
    for (const Fold& fold : make_folds(target, count, 1))
      for (Index c = 0; c < 3; ++c)
        counts[c].push_back(std::count_if(fold.test.begin(), fold.test.end(),
                                          [&](Index row) { return target.codes[static_cast<std::size_t>(row)] == c; }));
    for (const auto& [c, rows] : counts)
      EXPECT_LE(*std::max_element(rows.begin(), rows.end()) - *std::min_element(rows.begin(), rows.end()), 1)
          << "class " << c << ", " << count << " folds";
  }
}

TEST(Folds, ARareClassIsInEveryTrainingPart) {
  std::vector<Index> codes(30, 0);
  codes[3] = codes[20] = 1;
  const Target target = classes_of(codes, 2);
  for (const Fold& fold : make_folds(target, 10, 3))
    EXPECT_TRUE(std::any_of(fold.training.begin(), fold.training.end(),
                            [&](Index row) { return target.codes[static_cast<std::size_t>(row)] == 1; }));
}

TEST(Folds, TheSeedDecides) {
  const Target target = sorted_classes();
  const auto tests = [&](std::uint64_t seed) {
    std::vector<std::vector<Index>> parts;
    for (const Fold& fold : make_folds(target, 5, seed)) parts.push_back(fold.test);
    return parts;
  };
  EXPECT_EQ(tests(1), tests(1));
  EXPECT_NE(tests(1), tests(2));
}

TEST(Folds, RowsAreShuffled) {
  const auto folds = make_folds(numbers(100), 2, 0);
  std::vector<Index> even;
  for (Index row = 0; row < 100; row += 2) even.push_back(row);
  EXPECT_NE(folds[0].test, even) << "without a shuffle rows would be dealt in turn";
}

TEST(Folds, WhatCannotBeDividedIsRefused) {
  expect_refused([] { make_folds(numbers(10), 1, 0); }, "folds is 1");
  expect_refused([] { make_folds(numbers(10), 11, 0); }, "only 10 rows");
  expect_refused([] { make_folds(classes_of({0, 0, 0, 1}, 2), 2, 0); }, "class 'b' has 1 row");
}

TEST(Folds, FoldsMadeElsewhereAreChecked) {
  check_folds({{{0, 1}, {2}}, {{2}, {0}}}, 3);
  expect_refused([] { check_folds({}, 3); }, "no folds");
  expect_refused([] { check_folds({{{0, 1}, {3}}}, 3); }, "row 3");
  expect_refused([] { check_folds({{{0, 1}, {}}}, 3); }, "fold 1");
}

}  // namespace
}  // namespace spicymkl
