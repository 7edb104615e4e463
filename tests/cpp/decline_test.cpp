// The scores of a path, from the strongest penalty down: when they have clearly got worse, and when they have not.
#include "spicymkl/selection/decline.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace spicymkl {
namespace {

/// How many of the scores are looked at.
std::size_t looked_at(const std::vector<double>& scores, bool larger_is_better) {
  Decline decline(larger_is_better);
  std::size_t count = 0;
  while (count < scores.size() && !decline.is_clear()) decline.add(scores[count++]);
  return count;
}

TEST(Decline, IsTwoPointsThatAreClearlyWorseThanTheBest) {
  EXPECT_EQ(looked_at({1.0, 0.6, 0.4, 0.5, 0.6, 0.3}, false), 5u);
  EXPECT_EQ(looked_at({0.2, 0.6, 0.9, 0.8, 0.7, 0.95}, true), 5u);
}

TEST(Decline, IsNotOnePointNorALittle) {
  EXPECT_EQ(looked_at({1.0, 0.6, 0.4, 0.5, 0.4, 0.5, 0.3}, false), 7u) << "one bad point at a time";
  EXPECT_EQ(looked_at({1.0, 0.6, 0.40, 0.41, 0.415, 0.41, 0.415}, false), 7u) << "less than 2 % of the first";
  EXPECT_EQ(looked_at({0.0, 0.0, 0.0, 0.0}, true), 4u) << "nothing to win or lose";
}

TEST(Decline, IsMeasuredByWhatWasGainedWhereTheFirstScoreSaysNothing) {
  EXPECT_EQ(looked_at({-0.001, 0.5, 0.8, 0.79, 0.79, 0.79}, true), 6u) << "R² begins at 0";
  EXPECT_EQ(looked_at({-0.001, 0.5, 0.8, 0.7, 0.7, 0.9}, true), 5u);
}

}  // namespace
}  // namespace spicymkl
