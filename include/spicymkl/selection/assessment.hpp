// How far measures can be trusted: intervals, what no model at all would reach, classes one by one, calibration.
#pragma once

#include "spicymkl/selection/measure.hpp"

namespace spicymkl {

inline constexpr double kConfidence = 0.95;  ///< of every interval

struct ConfidenceInterval {
  double low = 0, high = 0;
};

/// Of the probability behind `count` successes in `of` trials: exact (Clopper and Pearson).
ConfidenceInterval share_interval(Index count, Index of);

struct AssessedMeasure {
  Metric metric = Metric::accuracy;
  std::optional<double> value;
  std::optional<ConfidenceInterval> interval;  ///< none where the rows are too few or the value is at its bound
  std::optional<double> baseline;              ///< of the best constant answer on these rows
};

/// How well one class is recognised. A value is missing where there is nothing to divide by.
struct ClassAssessment {
  Index n_rows = 0, n_predicted = 0, n_right = 0;
  std::optional<double> recall, precision, f1;
  std::optional<ConfidenceInterval> recall_interval, precision_interval;
  std::optional<double> auc, average_precision;  ///< of two classes, the second has them
};

struct CalibrationBin {
  double from = 0, to = 0;      ///< of the predicted probability
  Index n_rows = 0;             ///< above 0
  double predicted = 0;         ///< mean probability
  double observed = 0;          ///< share of the rows for which it came true
  ConfidenceInterval interval;  ///< of that share
};

/// Two classes: of the probability of the second. More: of the predicted class. Ten bins of equal width.
struct Calibration {
  std::vector<CalibrationBin> bins;
  double error = 0;  ///< expected calibration error: mean over the rows of |predicted − observed| of their bins
};

struct Assessment {
  std::vector<AssessedMeasure> measures;   ///< in the order of the evaluation
  std::vector<ClassAssessment> classes;    ///< one per class; empty for numbers
  std::optional<Calibration> calibration;  ///< none: no probabilities
};

/// Accuracy: exact. AUC: DeLong's, on the scale of the logit; concordance: by the infinitesimal jackknife, on the same
/// scale. Others: from the standard error of the means that they
/// are made of, on a scale that keeps them in their range.
Assessment assess(const Evaluation& evaluation);

}  // namespace spicymkl
