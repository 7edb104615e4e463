// Folds that keep groups together, and shuffles that groups allow.
#include "selection/group_folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/random_draws.hpp"
#include "study/row_shuffle.hpp"
#include "support/refusal.hpp"

namespace spicymkl {
namespace {

using testing_support::expect_refused;

/// 24 groups of 1 to 8 rows, in two classes.
struct Rows {
  Target target;
  RowGroups groups;
};

Rows some_rows(bool constant_in_groups) {
  Rows rows;
  rows.target.loss = "logistic";
  rows.target.classes = {"a", "b"};
  std::vector<std::string> names;
  RandomDraws draws(5);
  for (Index group = 0; group < 24; ++group)
    for (Index k = 0; k <= group % 8; ++k) {
      names.push_back("site " + std::to_string(group));
      rows.target.codes.push_back(constant_in_groups ? group / 8 % 2 : draws.below(2));
    }
  rows.groups = make_groups("site", names);
  return rows;
}

TEST(GroupFolds, NoGroupIsInTwoParts) {
  const auto [target, groups] = some_rows(false);
  EXPECT_EQ(groups.count, 24);
  const std::vector<Fold> folds = make_folds(target, groups, 5, 7);
  ASSERT_EQ(folds.size(), 5);
  std::vector<Index> tested;
  for (const Fold& fold : folds) {
    std::set<Index> inside, outside;
    for (const Index row : fold.test) inside.insert(groups.codes[row]);
    for (const Index row : fold.training) outside.insert(groups.codes[row]);
    for (const Index group : inside) EXPECT_FALSE(outside.contains(group));
    EXPECT_EQ(fold.test.size() + fold.training.size(), groups.codes.size());
    tested.insert(tested.end(), fold.test.begin(), fold.test.end());
  }
  std::sort(tested.begin(), tested.end());
  EXPECT_EQ(tested, all_kernels(target.n_rows()));
}

TEST(GroupFolds, PartsAreAboutEqualInSizeAndClasses) {
  const auto [target, groups] = some_rows(false);
  const double n = static_cast<double>(target.n_rows());
  const double share = static_cast<double>(std::ranges::count(target.codes, 1)) / n;
  for (const std::uint64_t seed : {1, 2, 3})
    for (const Fold& fold : make_folds(target, groups, 4, seed)) {
      EXPECT_NEAR(static_cast<double>(fold.test.size()), n / 4, 4);
      const Target part = target.rows(fold.test);
      EXPECT_NEAR(static_cast<double>(std::ranges::count(part.codes, 1)) / static_cast<double>(part.n_rows()), share,
                  0.15);
    }
}

TEST(GroupFolds, FollowTheSeed) {
  const auto [target, groups] = some_rows(false);
  EXPECT_EQ(make_folds(target, groups, 2, 1)[0].test, make_folds(target, groups, 2, 1)[0].test);
  EXPECT_NE(make_folds(target, groups, 2, 1)[0].test, make_folds(target, groups, 2, 2)[0].test);
}

TEST(GroupFolds, WithoutGroupsAreTheFoldsOfRows) {
  const Target target = some_rows(false).target;
  EXPECT_EQ(make_folds(target, RowGroups{}, 3, 4)[1].test, make_folds(target, 3, 4)[1].test);
}

TEST(GroupFolds, WhatCannotBeDividedIsRefused) {
  const auto [target, groups] = some_rows(false);
  expect_refused([&] { make_folds(target, groups, 25, 1); },
                 "'site' has 24 groups among the rows to divide, but 25 parts");
  RowGroups one = groups;
  std::fill(one.codes.begin(), one.codes.end(), 0);
  expect_refused([&] { make_folds(target, one, 2, 1); }, "'site' has 1 group among the rows to divide, but 2 parts");
  Target alone = target;
  alone.classes.push_back("c");
  alone.codes[0] = 2;
  expect_refused([&] { make_folds(alone, groups, 3, 1); }, "class 'c' is in fewer than 2 groups");
}

bool is_permutation_of_all(std::vector<Index> rows) {
  std::sort(rows.begin(), rows.end());
  return rows == all_kernels(std::ssize(rows));
}

TEST(RowShuffle, StaysWithinGroupsWhoseTargetVaries) {
  const auto [target, groups] = some_rows(false);
  ASSERT_EQ(exchange_of(target, groups), Exchange::within_groups);
  const std::vector<Index> from = shuffled_rows(target.n_rows(), groups, Exchange::within_groups, 3);
  EXPECT_TRUE(is_permutation_of_all(from));
  EXPECT_NE(from, all_kernels(target.n_rows()));
  for (Index row = 0; row < target.n_rows(); ++row) EXPECT_EQ(groups.codes[row], groups.codes[from[row]]);
}

TEST(RowShuffle, MovesWholeGroupsWhoseTargetIsConstant) {
  const auto [target, groups] = some_rows(true);
  ASSERT_EQ(exchange_of(target, groups), Exchange::whole_groups);
  const std::vector<Index> from = shuffled_rows(target.n_rows(), groups, Exchange::whole_groups, 3);
  EXPECT_TRUE(is_permutation_of_all(from));
  const Target shuffled = target.rows(from);
  EXPECT_NE(shuffled.codes, target.codes);
  EXPECT_EQ(exchange_of(shuffled, groups), Exchange::whole_groups) << "still constant within each group";
}

TEST(RowShuffle, WithoutGroupsMovesAnyRow) {
  const Target target = some_rows(false).target;
  EXPECT_EQ(exchange_of(target, {}), Exchange::rows);
  EXPECT_TRUE(is_permutation_of_all(shuffled_rows(50, {}, Exchange::rows, 1)));
  EXPECT_NE(shuffled_rows(50, {}, Exchange::rows, 1), shuffled_rows(50, {}, Exchange::rows, 2));
}

}  // namespace
}  // namespace spicymkl
