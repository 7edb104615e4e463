// How many selections are expected to be false: the bounds of Shah and Samworth, by hand and by simulation.
#include "study/error_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random_draws.hpp"

namespace spicymkl {
namespace {

TEST(ErrorBound, IsTheOneOfTheTheorems) {
  const SelectionCount count{10, 1000, 50};
  EXPECT_NEAR(bound_without_assumptions(count, 0.9), 100 / (0.8 * 1000), 1e-15);
  EXPECT_NEAR(*bound_if_unimodal(count, 0.9), 4 * (0.1 + 0.01) / 1.02 * 0.01 * 10, 1e-15);
  EXPECT_NEAR(*bound_if_unimodal(count, 0.7), 0.01 * 10 / (2 * (0.4 - 0.01)), 1e-15);
  // The two branches meet at 3/4, up to the terms in 1/B.
  const SelectionCount many{10, 1000, 1'000'000};
  EXPECT_NEAR(*bound_if_unimodal(many, 0.75), *bound_if_unimodal(many, 0.75 + 1e-9), 1e-6);
}

TEST(ErrorBound, AssumesWhatWasAsked) {
  const SelectionCount count{10, 1000, 50};
  EXPECT_EQ(error_bound(count, 0.9, "nothing"), bound_without_assumptions(count, 0.9));
  EXPECT_EQ(error_bound(count, 0.9, "unimodal"), *bound_if_unimodal(count, 0.9));
}

TEST(ErrorBound, TheSecondTheoremHasItsConditions) {
  EXPECT_FALSE(bound_if_unimodal({6, 10, 50}, 0.9)) << "q/p is above 1/sqrt(3)";
  EXPECT_FALSE(bound_if_unimodal({1, 10, 50}, 0.505)) << "the threshold is too low";
  EXPECT_EQ(error_bound({6, 10, 50}, 0.9, "unimodal"), bound_without_assumptions({6, 10, 50}, 0.9));
}

TEST(ErrorBound, HoldsForSelectionByChance) {
  // Every half selects 20 of 100 at random: all candidates are of low probability, and none should pass.
  constexpr Index kCandidates = 100, kSelected = 20, kPairs = 5, kStudies = 2000;
  constexpr double kThreshold = 0.6;
  RandomDraws draws(1);
  double passed = 0;
  for (Index study = 0; study < kStudies; ++study) {
    std::vector<int> times(kCandidates, 0);
    for (Index half = 0; half < 2 * kPairs; ++half)
      for (const Index k : draws.subset(kCandidates, kSelected)) ++times[k];
    for (const int count : times) passed += count >= kThreshold * 2 * kPairs;
  }
  passed /= kStudies;
  const SelectionCount count{kSelected, kCandidates, kPairs};
  EXPECT_GT(passed, 0.1) << "something does pass, so that there is something to bound";
  EXPECT_LT(passed, bound_without_assumptions(count, kThreshold));
  EXPECT_LT(passed, *bound_if_unimodal(count, kThreshold));
}

}  // namespace
}  // namespace spicymkl
