// The measures of a prediction that fit what was learned, by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/model/model.hpp"
#include "spicymkl/pipeline/target.hpp"
#include "spicymkl/selection/metrics.hpp"

namespace spicymkl {

enum class Metric { accuracy, balanced_accuracy, auc, log_loss, rmse, mae, r2, concordance };

/// As options and files have it: log_loss.
std::string_view name_of(Metric metric);
/// As people write it: log-loss.
std::string_view title_of(Metric metric);
std::vector<Metric> all_metrics();
/// Accuracy, AUC and R² are better when larger, errors when smaller.
bool larger_is_better(Metric metric);

/// A name that is neither a metric nor "auto" is an InputError.
void check_metric_name(std::string_view name);
/// The metric of that name, which must suit the target, its loss and the model's answers: log_loss needs probabilities,
/// rmse numbers. "auto" is log_loss for classes (accuracy where the loss gives no probabilities), rmse for numbers, r2
/// for several targets, which may be of different units, and concordance for survival times. Anything else is an
/// InputError.
Metric choose_metric(std::string_view name, const Target& target);

/// Whether the metric can be had of predictions of this target.
bool suits(Metric metric, const Target& target);

/// The one that people know best, to be read beside the one that chooses: accuracy of classes, R² of numbers,
/// concordance of survival times.
Metric familiar_metric(const Target& target);

struct Measurement {
  Metric metric;
  std::optional<double> value;  ///< none where the rows do not define it
};

/// Predictions compared with the truth.
struct Evaluation {
  Index n_samples = 0;
  std::vector<Measurement> measurements;  ///< all that the model's answers allow
  std::vector<std::string> classes;       ///< empty for numbers
  ClassMetrics by_class;                  ///< if there are classes, as the four below
  std::vector<Index> true_classes, predicted_classes;
  Matrix ranking;           ///< rows × outputs: what curves and AUC order the rows by
  Matrix probabilities;     ///< rows × classes; empty if the loss gives none
  Vector truth, predicted;  ///< of one target of numbers; of survival times, the times and the log-risks
  Vector events;            ///< of survival times: 1 and 0
  /// Of several targets, each by itself; the measurements are then the means over them, as scikit-learn has them, and
  /// undefined where one is.
  std::vector<std::string> targets;
  std::vector<Evaluation> by_target;

  bool survival() const { return events.size() > 0; }
};

/// `scores` is rows × outputs.
Evaluation evaluate(const Model& model, const Target& truth, ConstMatrixRef scores);

/// One of the measures; none where the rows do not define it.
std::optional<double> value_of(Metric metric, const Evaluation& evaluation);

}  // namespace spicymkl
