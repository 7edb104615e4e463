#include "spicymkl/selection/assessment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "calibration.hpp"
#include "intervals.hpp"
#include "spicymkl/selection/survival_metrics.hpp"

namespace spicymkl {

namespace {

using Confusion = std::vector<std::vector<Index>>;

Index rows_of(const Confusion& confusion, std::size_t c) {
  return std::accumulate(confusion[c].begin(), confusion[c].end(), Index{0});
}

Index predicted_as(const Confusion& confusion, std::size_t c) {
  Index sum = 0;
  for (const auto& row : confusion) sum += row[c];
  return sum;
}

/// The part of the rows that each class that occurs has.
std::vector<double> class_shares(const Evaluation& evaluation) {
  std::vector<double> shares;
  for (std::size_t c = 0; c < evaluation.classes.size(); ++c)
    if (const Index rows = rows_of(evaluation.by_class.confusion, c); rows > 0)
      shares.push_back(static_cast<double>(rows) / static_cast<double>(evaluation.n_samples));
  return shares;
}

double entropy(const std::vector<double>& shares) {
  double sum = 0;
  for (const double share : shares) sum -= share * std::log(share);
  return sum;
}

double median(Vector values) {
  const Index half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + half, values.end());
  if (values.size() % 2 == 1) return values(half);
  return (values(half) + *std::max_element(values.begin(), values.begin() + half)) / 2;
}

/// What the best constant answer reaches: the most frequent class, the class shares as probabilities, the mean, the
/// median.
std::optional<double> baseline_of(Metric metric, const Evaluation& evaluation) {
  const Vector& truth = evaluation.truth;
  switch (metric) {
    case Metric::accuracy:
      return std::ranges::max(class_shares(evaluation));
    case Metric::balanced_accuracy:
      return 1 / static_cast<double>(class_shares(evaluation).size());
    case Metric::auc:
    case Metric::concordance:
      return 0.5;
    case Metric::log_loss:
      return entropy(class_shares(evaluation));
    case Metric::rmse:
      return std::sqrt((truth.array() - truth.mean()).square().mean());
    case Metric::mae:
      return (truth.array() - median(truth)).abs().mean();
    case Metric::r2:
      return 0;
  }
  return std::nullopt;
}

double balanced_accuracy_error(const Confusion& confusion) {
  double variance = 0;
  int present = 0;
  for (std::size_t c = 0; c < confusion.size(); ++c) {
    const auto rows = static_cast<double>(rows_of(confusion, c));
    if (rows == 0) continue;
    const double recall = static_cast<double>(confusion[c][c]) / rows;
    variance += recall * (1 - recall) / rows;
    ++present;
  }
  return std::sqrt(variance) / present;
}

/// −log of the probability of the true class, row by row.
Vector log_losses(const Evaluation& evaluation) {
  Vector losses(evaluation.n_samples);
  for (Index i = 0; i < losses.size(); ++i)
    losses(i) = row_log_loss(evaluation.probabilities(i, evaluation.true_classes[i]));
  return losses;
}

/// Of r² by way of log(1 − r²) = log Σ(y − f)² − log Σ(y − ȳ)², whose error follows from those of the two means.
std::optional<ConfidenceInterval> r2_interval(double r2, const Evaluation& evaluation) {
  const Vector errors = (evaluation.truth - evaluation.predicted).array().square();
  const Vector total = (evaluation.truth.array() - evaluation.truth.mean()).square();
  if (errors.size() < 2 || errors.mean() == 0) return std::nullopt;
  const auto n = static_cast<double>(errors.size());
  const double error = std::sqrt((errors / errors.mean() - total / total.mean()).squaredNorm() / (n * (n - 1)));
  const ConfidenceInterval unexplained = interval_by_log(1 - r2, error);
  return ConfidenceInterval{1 - unexplained.high, 1 - unexplained.low};
}

/// Of a mean of positive values, or with power = ½ of its root.
std::optional<ConfidenceInterval> mean_interval(double value, const Vector& values, double power = 1) {
  const auto error = log_error_of_mean(values);
  if (!error) return std::nullopt;
  return interval_by_log(value, power * *error);
}

std::optional<ConfidenceInterval> interval_of(Metric metric, double value, const Evaluation& evaluation) {
  const Confusion& confusion = evaluation.by_class.confusion;
  switch (metric) {
    case Metric::accuracy: {
      Index right = 0;
      for (std::size_t c = 0; c < confusion.size(); ++c) right += confusion[c][c];
      return share_interval(right, evaluation.n_samples);
    }
    case Metric::balanced_accuracy:
      return interval_by_logit(value, balanced_accuracy_error(confusion));
    case Metric::auc: {
      const auto error = auc_error(evaluation.true_classes, evaluation.ranking);
      return error ? interval_by_logit(value, *error) : std::nullopt;
    }
    case Metric::log_loss:
      return mean_interval(value, log_losses(evaluation));
    case Metric::rmse:
      return mean_interval(value, (evaluation.truth - evaluation.predicted).array().square(), 0.5);
    case Metric::mae:
      return mean_interval(value, (evaluation.truth - evaluation.predicted).cwiseAbs());
    case Metric::r2:
      return r2_interval(value, evaluation);
    case Metric::concordance: {
      const auto error = concordance(evaluation.truth, evaluation.events, evaluation.predicted).error();
      return error ? interval_by_logit(value, *error) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Curves are those of each class against the rest; of two classes there is that of the second.
const RocCurve* curve_of(const Evaluation& evaluation, std::size_t c) {
  const auto& curves = evaluation.by_class.roc;
  if (evaluation.classes.size() > 2) return &curves[c];
  return c == 1 ? &curves.front() : nullptr;
}

ClassAssessment assess_class(const Evaluation& evaluation, std::size_t c) {
  const Confusion& confusion = evaluation.by_class.confusion;
  ClassAssessment found{rows_of(confusion, c), predicted_as(confusion, c), confusion[c][c], {}, {}, {}, {}, {}, {}, {}};
  const auto right = static_cast<double>(found.n_right);
  if (found.n_rows > 0) {
    found.recall = right / static_cast<double>(found.n_rows);
    found.recall_interval = share_interval(found.n_right, found.n_rows);
  }
  if (found.n_predicted > 0) {
    found.precision = right / static_cast<double>(found.n_predicted);
    found.precision_interval = share_interval(found.n_right, found.n_predicted);
  }
  if (found.n_rows + found.n_predicted > 0)
    found.f1 = 2 * right / static_cast<double>(found.n_rows + found.n_predicted);
  if (const RocCurve* curve = curve_of(evaluation, c)) {
    found.auc = area_under_curve(*curve);
    found.average_precision = average_precision(*curve);
  }
  return found;
}

}  // namespace

namespace {

/// Of means over targets: the mean of what the best constant answers of each reach. They have no interval, for errors
/// of one row in several targets go together.
Assessment assess_targets(const Evaluation& evaluation) {
  Assessment found;
  for (const auto& [metric, value] : evaluation.measurements) {
    double baseline = 0;
    for (const Evaluation& one : evaluation.by_target)
      baseline += *baseline_of(metric, one) / static_cast<double>(evaluation.by_target.size());
    found.measures.push_back({metric, value, {}, baseline});
  }
  return found;
}

}  // namespace

Assessment assess(const Evaluation& evaluation) {
  if (!evaluation.by_target.empty()) return assess_targets(evaluation);
  Assessment found;
  for (const auto& [metric, value] : evaluation.measurements) {
    AssessedMeasure measure{metric, value, {}, baseline_of(metric, evaluation)};
    if (value) measure.interval = interval_of(metric, *value, evaluation);
    found.measures.push_back(measure);
  }
  for (std::size_t c = 0; c < evaluation.classes.size(); ++c) found.classes.push_back(assess_class(evaluation, c));
  if (evaluation.probabilities.size() > 0)
    found.calibration = calibration(evaluation.true_classes, evaluation.predicted_classes, evaluation.probabilities);
  return found;
}

}  // namespace spicymkl
