// The line search on functions of one variable.
#include "solver/inner/line_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace spicymkl;

/// (c − minimum)² curvature/2
std::function<SlopedValue(double)> parabola(double minimum, double curvature = 1) {
  return [=](double c) {
    return SlopedValue{0.5 * curvature * (c - minimum) * (c - minimum), curvature * (c - minimum)};
  };
}

TEST(LineSearchTest, FullNewtonStepIsTaken) { EXPECT_EQ(line_search(parabola(1), parabola(1)(0), 1), 1); }

TEST(LineSearchTest, StepNeverExceedsTheLargestAllowed) {
  EXPECT_EQ(line_search(parabola(1), parabola(1)(0), 0.3), 0.3);
  EXPECT_EQ(line_search(parabola(50), parabola(50)(0), 1), 1) << "still falling at the end";
}

TEST(LineSearchTest, OvershootIsCutToTheMinimumByTheSecant) {
  const auto f = parabola(0.2);
  const double c = line_search(f, f(0), 1);
  EXPECT_NEAR(c, 0.2, 1e-12) << "the secant of a parabola's slope hits its minimum";
}

TEST(LineSearchTest, DecreasesSufficientlyFromFarOvershoot) {
  for (const double minimum : {1e-1, 1e-3, 1e-6, 1e-10}) {
    const auto f = parabola(minimum);
    const double c = line_search(f, f(0), 1);
    EXPECT_GT(c, 0);
    EXPECT_LT(f(c).value, f(0).value) << "minimum at " << minimum;
  }
}

TEST(LineSearchTest, KinkIsNotOvershot) {
  // Piecewise quadratic: gentle descent up to 0.3, then a steep wall.
  const auto f = [](double c) {
    return c < 0.3 ? SlopedValue{-c, -1.0} : SlopedValue{-0.3 + 500 * (c - 0.3) * (c - 0.3), 1000 * (c - 0.3)};
  };
  const double c = line_search(f, f(0), 1);
  EXPECT_GT(c, 0.02);
  EXPECT_LT(f(c).value, -0.02);
}

TEST(LineSearchTest, InfiniteAndUndefinedValuesAreSteppedBackFrom) {
  for (const double bad : {HUGE_VAL, std::nan("")}) {
    const auto f = [=](double c) { return c > 0.01 ? SlopedValue{bad, bad} : parabola(1)(c); };
    const double c = line_search(f, f(0), 1);
    EXPECT_GT(c, 0);
    EXPECT_LE(c, 0.01);
  }
}

TEST(LineSearchTest, NoDecreaseGivesZero) {
  const auto rising = [](double c) { return SlopedValue{c, 1.0}; };
  EXPECT_EQ(line_search(rising, {0, -1}, 1), 0) << "the claimed slope was a lie";
  const auto undefined = [](double) { return SlopedValue{std::nan(""), std::nan("")}; };
  EXPECT_EQ(line_search(undefined, {0, -1}, 1), 0);
}

TEST(LineSearchTest, RoundingNoiseNearTheMinimumIsTolerated) {
  // The decrease of a last Newton step is far below the rounding of a value of size 1e6; the slope decides.
  const auto f = [](double c) { return SlopedValue{1e6 + (c > 0 ? 1e-10 : 0), 1e-14 * (c - 1)}; };
  EXPECT_EQ(line_search(f, {1e6, -1e-14}, 1), 1);
}

}  // namespace
