// A few of many kernels: their own numbers, and who enters next.
#include "solver/outer/active_kernels.hpp"

#include <gtest/gtest.h>

namespace {

using namespace spicymkl;

TEST(ActiveKernelsTest, NumbersGoThereAndBack) {
  ActiveKernels set(10);
  set.add({7, 2});
  set.add({2, 9});
  EXPECT_EQ(set.kernels(), (std::vector<Index>{7, 2, 9}));
  EXPECT_TRUE(set.contains(9));
  EXPECT_FALSE(set.contains(0));
  WarmStart start;
  start.kernels = {9, 7};
  start.model = KnownModel{};
  const WarmStart local = set.to_local(start);
  EXPECT_EQ(local.kernels, (std::vector<Index>{2, 0}));
  EXPECT_FALSE(local.model) << "it belongs to the whole problem";
  EXPECT_EQ(set.to_global(local).kernels, start.kernels);
  Result result;
  result.expansion.kernels = {1};
  result.warm_start.kernels = {0, 1};
  result = set.to_global(std::move(result));
  EXPECT_EQ(result.expansion.kernels, std::vector<Index>{2});
  EXPECT_EQ(result.warm_start.kernels, (std::vector<Index>{7, 2}));
  set.keep_only({2});
  EXPECT_EQ(set.size(), 1);
  EXPECT_FALSE(set.contains(7));
}

TEST(ActiveKernelsTest, TheLargestOutsideEnterTheFirstOfEqualOnesFirst) {
  ActiveKernels set(6);
  set.add({1});
  Vector norms(6);
  norms << 1, 9, 3, 2, 3, 0.5;
  EXPECT_EQ(set.largest_outside(norms, 0.8, 10), (std::vector<Index>{2, 4, 3, 0}));
  EXPECT_EQ(set.largest_outside(norms, 0, 2), (std::vector<Index>{2, 4}));
  EXPECT_TRUE(set.largest_outside(norms, 3, 10).empty());
}

}  // namespace
