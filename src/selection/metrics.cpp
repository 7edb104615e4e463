#include "spicymkl/selection/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace spicymkl {

namespace {

using Confusion = std::vector<std::vector<Index>>;

Confusion count(const std::vector<Index>& truth, const std::vector<Index>& predicted, Index n_classes) {
  const auto n = static_cast<std::size_t>(n_classes);
  Confusion confusion(n, std::vector<Index>(n, 0));
  for (std::size_t i = 0; i < truth.size(); ++i)
    ++confusion[static_cast<std::size_t>(truth[i])][static_cast<std::size_t>(predicted[i])];
  return confusion;
}

double balanced_accuracy(const Confusion& confusion) {
  double sum = 0;
  int present = 0;
  for (std::size_t c = 0; c < confusion.size(); ++c) {
    const Index rows = std::accumulate(confusion[c].begin(), confusion[c].end(), Index{0});
    if (rows == 0) continue;
    sum += static_cast<double>(confusion[c][c]) / static_cast<double>(rows);
    ++present;
  }
  return sum / present;
}

std::vector<bool> is_class(const std::vector<Index>& truth, Index c) {
  std::vector<bool> positive;
  for (const Index code : truth) positive.push_back(code == c);
  return positive;
}

std::optional<double> mean_auc(const std::vector<Index>& truth, ConstMatrixRef scores) {
  if (scores.cols() == 1) return area_under_curve(is_class(truth, 1), scores.col(0));
  double sum = 0;
  for (Index c = 0; c < scores.cols(); ++c) {
    const auto auc = area_under_curve(is_class(truth, c), scores.col(c));
    if (!auc) return std::nullopt;
    sum += *auc;
  }
  return sum / static_cast<double>(scores.cols());
}

double mean_log_loss(const std::vector<Index>& truth, ConstMatrixRef probabilities) {
  double sum = 0;
  for (Index i = 0; i < probabilities.rows(); ++i)
    // A probability that underflowed is still above 0.
    sum -= std::log(std::max(probabilities(i, truth[static_cast<std::size_t>(i)]), std::numeric_limits<double>::min()));
  return sum / static_cast<double>(probabilities.rows());
}

}  // namespace

std::optional<double> area_under_curve(const std::vector<bool>& positive, ConstVectorRef scores) {
  std::vector<std::size_t> order(positive.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto score = [&](std::size_t i) { return scores(static_cast<Index>(i)); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score(a) < score(b); });
  double negatives = 0, positives = 0, right = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    double tied_negatives = 0, tied_positives = 0;
    for (; end < order.size() && score(order[end]) == score(order[begin]); ++end)
      ++(positive[order[end]] ? tied_positives : tied_negatives);
    right += tied_positives * (negatives + tied_negatives / 2);
    negatives += tied_negatives;
    positives += tied_positives;
  }
  if (negatives == 0 || positives == 0) return std::nullopt;
  return right / (negatives * positives);
}

ClassMetrics class_metrics(const std::vector<Index>& truth, const std::vector<Index>& predicted, ConstMatrixRef scores,
                           ConstMatrixRef probabilities, Index n_classes) {
  ClassMetrics metrics;
  metrics.confusion = count(truth, predicted, n_classes);
  double right = 0;
  for (std::size_t c = 0; c < metrics.confusion.size(); ++c) right += static_cast<double>(metrics.confusion[c][c]);
  metrics.accuracy = right / static_cast<double>(truth.size());
  metrics.balanced_accuracy = balanced_accuracy(metrics.confusion);
  metrics.auc = mean_auc(truth, scores);
  if (probabilities.size() > 0) metrics.log_loss = mean_log_loss(truth, probabilities);
  return metrics;
}

RegressionMetrics regression_metrics(ConstVectorRef truth, ConstVectorRef predicted) {
  const Vector residual = truth - predicted;
  RegressionMetrics metrics;
  metrics.rmse = std::sqrt(residual.squaredNorm() / static_cast<double>(truth.size()));
  metrics.mae = residual.lpNorm<1>() / static_cast<double>(truth.size());
  if (truth.minCoeff() < truth.maxCoeff())
    metrics.r2 = 1 - residual.squaredNorm() / (truth.array() - truth.mean()).square().sum();
  return metrics;
}

}  // namespace spicymkl
