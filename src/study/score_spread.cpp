#include "score_spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "selection/intervals.hpp"

namespace spicymkl {

namespace {

/// The least and the largest value that a measure can have.
ConfidenceInterval range_of(Metric metric) {
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  switch (metric) {
    case Metric::accuracy:
    case Metric::balanced_accuracy:
    case Metric::auc:
    case Metric::concordance:
      return {0, 1};
    case Metric::log_loss:
    case Metric::rmse:
    case Metric::mae:
      return {0, kEndless};
    case Metric::r2:
      return {-kEndless, 1};
  }
  return {-kEndless, kEndless};
}

}  // namespace

double t_quantile(double degrees_of_freedom) {
  const auto outside = [&](double t) {
    return beta_distribution(degrees_of_freedom / (degrees_of_freedom + t * t), degrees_of_freedom / 2, 0.5);
  };
  double low = 0, high = 1e3;
  for (int k = 0; k < 100; ++k) {
    const double middle = (low + high) / 2;
    (outside(middle) > 1 - kConfidence ? low : high) = middle;
  }
  return high;
}

ScoreSpread spread_of(Metric metric, const std::vector<SplitScore>& scores) {
  ScoreSpread spread;
  const auto count = static_cast<double>(scores.size());
  double ratio = 0;
  for (const SplitScore& score : scores) {
    spread.mean += score.value / count;
    ratio += score.n_test / score.n_training / count;
  }
  if (scores.size() < 2) return spread;
  double squares = 0;
  for (const SplitScore& score : scores) squares += (score.value - spread.mean) * (score.value - spread.mean);
  spread.deviation = std::sqrt(squares / (count - 1));
  const double half = t_quantile(count - 1) * std::sqrt(1 / count + ratio) * spread.deviation;
  const ConfidenceInterval possible = range_of(metric);
  spread.interval = {std::max(spread.mean - half, possible.low), std::min(spread.mean + half, possible.high)};
  return spread;
}

}  // namespace spicymkl
