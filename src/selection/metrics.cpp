#include "spicymkl/selection/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace spicymkl {

namespace {

using Confusion = std::vector<std::vector<Index>>;

Confusion count(const std::vector<Index>& truth, const std::vector<Index>& predicted, Index n_classes) {
  Confusion confusion(n_classes, std::vector<Index>(n_classes, 0));
  for (std::size_t i = 0; i < truth.size(); ++i) ++confusion[truth[i]][predicted[i]];
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

std::vector<RocCurve> roc_curves(const std::vector<Index>& truth, ConstMatrixRef scores) {
  if (scores.cols() == 1) return {roc_curve(is_class(truth, 1), scores.col(0))};
  std::vector<RocCurve> curves;
  for (Index c = 0; c < scores.cols(); ++c) curves.push_back(roc_curve(is_class(truth, c), scores.col(c)));
  return curves;
}

std::optional<double> mean_auc(const std::vector<RocCurve>& curves) {
  double sum = 0;
  for (const RocCurve& curve : curves) {
    const auto auc = area_under_curve(curve);
    if (!auc) return std::nullopt;
    sum += *auc;
  }
  return sum / static_cast<double>(curves.size());
}

double mean_log_loss(const std::vector<Index>& truth, ConstMatrixRef probabilities) {
  double sum = 0;
  for (Index i = 0; i < probabilities.rows(); ++i) sum += row_log_loss(probabilities(i, truth[i]));
  return sum / static_cast<double>(probabilities.rows());
}

}  // namespace

RocCurve roc_curve(const std::vector<bool>& positive, ConstVectorRef scores) {
  std::vector<Index> order(positive.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return scores(a) > scores(b); });
  RocCurve curve = {{0, 0}};
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    RocPoint point = curve.back();
    for (; end < order.size() && scores(order[end]) == scores(order[begin]); ++end)
      ++(positive[order[end]] ? point.true_positives : point.false_positives);
    curve.push_back(point);
  }
  return curve;
}

std::optional<double> area_under_curve(const RocCurve& curve) {
  double right = 0;  // pairs; the trapezium counts tied ones half
  for (std::size_t k = 1; k < curve.size(); ++k)
    right += (curve[k].false_positives - curve[k - 1].false_positives) *
             (curve[k].true_positives + curve[k - 1].true_positives) / 2;
  const double pairs = curve.back().false_positives * curve.back().true_positives;
  if (pairs == 0) return std::nullopt;
  return right / pairs;
}

std::optional<double> average_precision(const RocCurve& curve) {
  if (curve.back().true_positives == 0) return std::nullopt;
  double sum = 0;
  for (std::size_t k = 1; k < curve.size(); ++k) {
    const auto& [false_positives, true_positives] = curve[k];
    sum += (true_positives - curve[k - 1].true_positives) * true_positives / (true_positives + false_positives);
  }
  return sum / curve.back().true_positives;
}

double row_log_loss(double probability) {
  // A probability that underflowed is still above 0.
  return -std::log(std::max(probability, std::numeric_limits<double>::min()));
}

ClassMetrics class_metrics(const std::vector<Index>& truth, const std::vector<Index>& predicted, ConstMatrixRef scores,
                           ConstMatrixRef probabilities, Index n_classes) {
  ClassMetrics metrics;
  metrics.confusion = count(truth, predicted, n_classes);
  double right = 0;
  for (std::size_t c = 0; c < metrics.confusion.size(); ++c) right += static_cast<double>(metrics.confusion[c][c]);
  metrics.accuracy = right / static_cast<double>(truth.size());
  metrics.balanced_accuracy = balanced_accuracy(metrics.confusion);
  metrics.roc = roc_curves(truth, scores);
  metrics.auc = mean_auc(metrics.roc);
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
