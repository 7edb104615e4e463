// Chances that shuffled data look as good.
#include "study/p_value.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random_draws.hpp"

namespace spicymkl {
namespace {

TEST(PValue, CountsTheObservedOneAndEqualOnes) {
  EXPECT_EQ(permutation_p_value(3, {1, 2, 2.5, 0}), 1.0 / 5);
  EXPECT_EQ(permutation_p_value(2, {1, 2, 2.5, 0}), 3.0 / 5);
  EXPECT_EQ(permutation_p_value(-1, {1, 2, 2.5, 0}), 1);
  EXPECT_EQ(permutation_p_value(0.5, {}), 1);
  EXPECT_EQ(permutation_p_value(-0.7, {-0.7 - 1e-14, -0.9}), 2.0 / 3) << "equal up to rounding is equal";
}

TEST(PValue, SeveralAreCombinedByTwiceTheirMedian) {
  EXPECT_DOUBLE_EQ(combined_p_value({0.3, 0.01, 0.2}), 0.4);
  EXPECT_DOUBLE_EQ(combined_p_value({0.1, 0.02, 0.3, 0.04}), 0.14);
  EXPECT_EQ(combined_p_value({0.6, 0.9, 0.7}), 1);
  EXPECT_EQ(combined_p_value({}), 1);
}

TEST(PValue, CombinedOnesKeepTheirLevelWhateverTheyDependOn) {
  // Copies of one uniform number and independent ones, mixed: the combination is rarely small.
  RandomDraws draws(3);
  constexpr int kTrials = 20000;
  int rejected = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double shared = draws.uniform();
    std::vector<double> values;
    for (int k = 0; k < 9; ++k) values.push_back(trial % 2 == 0 || k % 2 == 0 ? shared : draws.uniform());
    rejected += combined_p_value(values) <= 0.1;
  }
  EXPECT_LT(rejected, 0.1 * kTrials);
  EXPECT_GT(rejected, 0.02 * kTrials);
}

}  // namespace
}  // namespace spicymkl
