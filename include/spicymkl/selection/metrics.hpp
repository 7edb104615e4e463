// How good predictions are.
#pragma once

#include <optional>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Rows with a score of at least some threshold, counted.
struct RocPoint {
  double false_positives = 0;
  double true_positives = 0;
};

/// One point per threshold, from no row to all of them.
using RocCurve = std::vector<RocPoint>;

struct ClassMetrics {
  double accuracy = 0;
  double balanced_accuracy = 0;  ///< mean over the classes that occur of the share found
  std::optional<double> auc;     ///< more than two classes: mean over classes against the rest; none: a class is absent
  std::optional<double> log_loss;  ///< mean −log of the probability of the true class; none: no probabilities
  std::vector<std::vector<Index>> confusion;  ///< [true][predicted]
  std::vector<RocCurve> roc;  ///< of each column of scores: two classes, the second; more, each against the rest
};

/// `truth` and `predicted` are places in the list of classes; `scores` has one column (two classes: of the second) or
/// one per class; `probabilities`, rows × classes, may be empty.
ClassMetrics class_metrics(const std::vector<Index>& truth, const std::vector<Index>& predicted, ConstMatrixRef scores,
                           ConstMatrixRef probabilities, Index n_classes);

struct RegressionMetrics {
  double rmse = 0;
  double mae = 0;
  std::optional<double> r2;  ///< none: the truth is constant
};

RegressionMetrics regression_metrics(ConstVectorRef truth, ConstVectorRef predicted);

RocCurve roc_curve(const std::vector<bool>& positive, ConstVectorRef scores);

/// The share of pairs of a positive and a negative row that the scores order correctly, which is the area under the
/// curve, ties counted half; none when there are no such pairs.
std::optional<double> area_under_curve(const RocCurve& curve);

/// The mean of the precision over the steps of the recall; none when there is no positive row.
std::optional<double> average_precision(const RocCurve& curve);

/// −log of the probability that was given to what is true.
double row_log_loss(double probability);

}  // namespace spicymkl
