#include "spicymkl/selection/measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "core/closest.hpp"
#include "model/decision.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/selection/survival_metrics.hpp"

namespace spicymkl {

namespace {

struct MetricFacts {
  Metric metric;
  std::string_view name;   // as options and files have it
  std::string_view title;  // as people write it
  bool larger_is_better;
  std::string_view of;  // what it measures predictions of
};

constexpr std::string_view kClasses = "classes", kNumbers = "numbers", kTimes = "survival times";

std::string_view kind_of(const Target& target) {
  return target.survival() ? kTimes : target.classes.empty() ? kNumbers : kClasses;
}

constexpr std::array<MetricFacts, 8> kMetrics = {
    {{Metric::accuracy, "accuracy", "accuracy", true, kClasses},
     {Metric::balanced_accuracy, "balanced_accuracy", "balanced accuracy", true, kClasses},
     {Metric::auc, "auc", "AUC", true, kClasses},
     {Metric::log_loss, "log_loss", "log-loss", false, kClasses},
     {Metric::rmse, "rmse", "RMSE", false, kNumbers},
     {Metric::mae, "mae", "MAE", false, kNumbers},
     {Metric::r2, "r2", "R²", true, kNumbers},
     {Metric::concordance, "concordance", "concordance", true, kTimes}}};

const MetricFacts& facts(Metric metric) { return kMetrics[static_cast<std::size_t>(metric)]; }

std::string names_for(std::string_view kind) {
  std::string text;
  for (const MetricFacts& fact : kMetrics)
    if (fact.of == kind) text += fmt::format("{}{}", text.empty() ? "" : ", ", fact.name);
  return text;
}

const MetricFacts& find_metric(std::string_view name) {
  for (const MetricFacts& fact : kMetrics)
    if (fact.name == name) return fact;
  std::vector<std::string> names = {"auto"};
  for (const MetricFacts& fact : kMetrics) names.emplace_back(fact.name);
  throw InputError(fmt::format("metric '{}' is not known{}; choose one of {}", name, did_you_mean(name, names),
                               fmt::join(names, ", ")));
}

}  // namespace

std::string_view name_of(Metric metric) { return facts(metric).name; }
std::string_view title_of(Metric metric) { return facts(metric).title; }

std::vector<Metric> all_metrics() {
  std::vector<Metric> list;
  for (const MetricFacts& fact : kMetrics) list.push_back(fact.metric);
  return list;
}

void check_metric_name(std::string_view name) {
  if (name != "auto") find_metric(name);
}

bool larger_is_better(Metric metric) { return facts(metric).larger_is_better; }

namespace {

bool has_chances(const Target& target) { return !target.classes.empty() && loss_type(target.loss).log_odds; }

}  // namespace

bool suits(Metric metric, const Target& target) {
  return facts(metric).of == kind_of(target) && (metric != Metric::log_loss || has_chances(target));
}

Metric choose_metric(std::string_view name, const Target& target) {
  const std::string_view kind = kind_of(target);
  const bool chances = has_chances(target);
  if (name == "auto" && target.has_several()) return Metric::r2;
  // Accuracy cannot tell a strength whose probabilities are too flat from one whose are right.
  if (name == "auto" && kind == kTimes) return Metric::concordance;
  if (name == "auto") return chances ? Metric::log_loss : kind == kClasses ? Metric::accuracy : Metric::rmse;
  const MetricFacts& fact = find_metric(name);
  if (fact.of != kind)
    throw InputError(fmt::format("metric '{}' does not suit {}; choose auto, {}", name, kind, names_for(kind)));
  if (fact.metric == Metric::log_loss && !chances)
    throw InputError(
        fmt::format("metric 'log_loss' needs probabilities, which the {} loss does not give; use the {} loss, or "
                    "another metric",
                    target.loss, std::ranges::find(loss_types(), true, &LossType::log_odds)->name));
  return fact.metric;
}

Metric familiar_metric(const Target& target) {
  if (target.survival()) return Metric::concordance;
  return target.classes.empty() ? Metric::r2 : Metric::accuracy;
}

namespace {

Evaluation evaluate_numbers(ConstVectorRef truth, ConstVectorRef predicted) {
  Evaluation evaluation;
  evaluation.n_samples = truth.size();
  evaluation.truth = truth;
  evaluation.predicted = predicted;
  const RegressionMetrics metrics = regression_metrics(evaluation.truth, evaluation.predicted);
  evaluation.measurements = {{Metric::rmse, metrics.rmse}, {Metric::mae, metrics.mae}, {Metric::r2, metrics.r2}};
  return evaluation;
}

Evaluation evaluate_times(const Target& truth, ConstVectorRef risks) {
  Evaluation evaluation;
  evaluation.n_samples = risks.size();
  evaluation.truth = truth.numbers;
  evaluation.events = truth.events;
  evaluation.predicted = risks;
  evaluation.measurements = {
      {Metric::concordance, concordance(evaluation.truth, evaluation.events, evaluation.predicted).value()}};
  return evaluation;
}

Evaluation evaluate_targets(const Target& truth, ConstMatrixRef scores) {
  Evaluation all;
  all.n_samples = scores.rows();
  all.targets = truth.names;
  for (Index k = 0; k < scores.cols(); ++k)
    all.by_target.push_back(evaluate_numbers(truth.several.col(k), scores.col(k)));
  for (const Metric metric : {Metric::rmse, Metric::mae, Metric::r2}) {
    std::optional<double> mean = 0.0;
    for (const Evaluation& one : all.by_target) {
      const std::optional<double> value = value_of(metric, one);
      mean = mean && value ? std::optional(*mean + *value / static_cast<double>(scores.cols())) : std::nullopt;
    }
    all.measurements.push_back({metric, mean});
  }
  return all;
}

}  // namespace

Evaluation evaluate(const Model& model, const Target& truth, ConstMatrixRef scores) {
  if (truth.has_several()) return evaluate_targets(truth, scores);
  if (truth.survival()) return evaluate_times(truth, scores.col(0));
  if (!model.is_classification()) return evaluate_numbers(truth.numbers, scores.col(0));
  Evaluation evaluation;
  evaluation.n_samples = scores.rows();
  if (has_probabilities(model)) evaluation.probabilities = probabilities(model, scores);
  evaluation.classes = model.classes;
  evaluation.true_classes = truth.codes;
  evaluation.predicted_classes = predicted_classes(scores);
  evaluation.ranking = ranking(model, scores);
  const ClassMetrics& metrics = evaluation.by_class =
      class_metrics(evaluation.true_classes, evaluation.predicted_classes, evaluation.ranking, evaluation.probabilities,
                    std::ssize(model.classes));
  evaluation.measurements = {{Metric::accuracy, metrics.accuracy},
                             {Metric::balanced_accuracy, metrics.balanced_accuracy},
                             {Metric::auc, metrics.auc}};
  if (has_probabilities(model)) evaluation.measurements.push_back({Metric::log_loss, metrics.log_loss});
  return evaluation;
}

std::optional<double> value_of(Metric metric, const Evaluation& evaluation) {
  for (const Measurement& one : evaluation.measurements)
    if (one.metric == metric) return one.value;
  return std::nullopt;
}

}  // namespace spicymkl
