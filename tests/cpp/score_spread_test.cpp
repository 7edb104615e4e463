// A mean over divisions that share rows, and its interval.
#include "study/score_spread.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spicymkl {
namespace {

TEST(ScoreSpread, QuantilesAreThoseOfStudent) {
  EXPECT_NEAR(t_quantile(1), 12.7062, 1e-4);
  EXPECT_NEAR(t_quantile(10), 2.228139, 1e-6);
  EXPECT_NEAR(t_quantile(499), 1.964729, 1e-6);
}

TEST(ScoreSpread, AllowsForSharedRows) {
  const ScoreSpread spread = spread_of(Metric::rmse, {{0.7, 80, 20}, {0.8, 80, 20}, {0.9, 80, 20}});
  EXPECT_NEAR(spread.mean, 0.8, 1e-15);
  EXPECT_NEAR(spread.deviation, 0.1, 1e-15);
  const double half = t_quantile(2) * 0.1 * std::sqrt(1.0 / 3 + 0.25);
  EXPECT_NEAR(spread.interval->low, 0.8 - half, 1e-12);
  EXPECT_NEAR(spread.interval->high, 0.8 + half, 1e-12);
}

TEST(ScoreSpread, OneScoreHasNoInterval) {
  const ScoreSpread spread = spread_of(Metric::accuracy, {{0.7, 80, 20}});
  EXPECT_EQ(spread.mean, 0.7);
  EXPECT_FALSE(spread.interval);
}

/// No accuracy is above 1, and no loss below 0.
TEST(ScoreSpread, EndsWhereTheMeasureDoes) {
  const std::vector<SplitScore> scores = {{0.1, 80, 20}, {0.5, 80, 20}, {0.9, 80, 20}};
  const ConfidenceInterval share = *spread_of(Metric::auc, scores).interval;
  EXPECT_EQ(share.low, 0);
  EXPECT_EQ(share.high, 1);
  const ConfidenceInterval loss = *spread_of(Metric::log_loss, scores).interval;
  EXPECT_EQ(loss.low, 0);
  EXPECT_GT(loss.high, 1);
  const ConfidenceInterval explained = *spread_of(Metric::r2, scores).interval;
  EXPECT_LT(explained.low, 0);
  EXPECT_EQ(explained.high, 1);
}

}  // namespace
}  // namespace spicymkl
