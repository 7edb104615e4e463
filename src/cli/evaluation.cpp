#include "evaluation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/wording.hpp"
#include "spicymkl/selection/assessment.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string measure_text(const AssessedMeasure& measure) {
  const auto interval = measure.interval;
  return fmt::format("{:<18}{:<11}{:<21}{}\n", name_of(measure.metric),
                     measure.value ? fmt::format("{:.6g}", *measure.value) : "undefined",
                     interval ? fmt::format("{:.4g} to {:.4g}", interval->low, interval->high) : "",
                     measure.baseline ? fmt::format("{:.4g}", *measure.baseline) : "");
}

std::string share_text(std::optional<double> value, std::optional<ConfidenceInterval> interval) {
  return value ? fmt::format("{:.3f} ({:.3f} to {:.3f})", *value, interval->low, interval->high) : "";
}

std::string classes_text(const Evaluation& evaluation, const Assessment& assessment) {
  constexpr std::size_t kMostClasses = 40;
  const std::size_t shown = std::min(kMostClasses, evaluation.classes.size());
  std::size_t width = std::string_view("class").size();
  for (std::size_t c = 0; c < shown; ++c) width = std::max(width, evaluation.classes[c].size());
  std::string text = fmt::format("{:<{}}{:>8}  {:<24}{:<24}{}\n", "class", width, "rows", "recall", "precision", "F1");
  for (std::size_t c = 0; c < shown; ++c) {
    const ClassAssessment& one = assessment.classes[c];
    text += fmt::format("{:<{}}{:>8}  {:<24}{:<24}{}\n", evaluation.classes[c], width, one.n_rows,
                        share_text(one.recall, one.recall_interval), share_text(one.precision, one.precision_interval),
                        one.f1 ? fmt::format("{:.3f}", *one.f1) : "");
  }
  if (shown < evaluation.classes.size()) text += fmt::format("… and {} more\n", evaluation.classes.size() - shown);
  return text;
}

/// The measures of every target, one to a line.
std::string targets_text(const Evaluation& evaluation) {
  std::size_t width = std::string_view("target").size();
  for (const std::string& name : evaluation.targets) width = std::max(width, name.size());
  std::string text = fmt::format("{:<{}}", "target", width);
  for (const Measurement& one : evaluation.measurements) text += fmt::format("  {:>10}", name_of(one.metric));
  text += "\n";
  for (std::size_t k = 0; k < evaluation.targets.size(); ++k) {
    text += fmt::format("{:<{}}", evaluation.targets[k], width);
    for (const Measurement& one : evaluation.by_target[k].measurements)
      text += fmt::format("  {:>10}", one.value ? fmt::format("{:.5g}", *one.value) : "undefined");
    text += "\n";
  }
  return text;
}

Json or_null(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json interval_json(const std::optional<ConfidenceInterval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json(nullptr);
}

Json class_json(const std::string& name, const ClassAssessment& one) {
  return {{"class", name},
          {"n_samples", one.n_rows},
          {"n_predicted", one.n_predicted},
          {"recall", or_null(one.recall)},
          {"recall_interval", interval_json(one.recall_interval)},
          {"precision", or_null(one.precision)},
          {"precision_interval", interval_json(one.precision_interval)},
          {"f1", or_null(one.f1)},
          {"auc", or_null(one.auc)},
          {"average_precision", or_null(one.average_precision)}};
}

Json calibration_json(const Calibration& calibration) {
  Json bins = Json::array();
  for (const CalibrationBin& bin : calibration.bins)
    bins.push_back({{"from", bin.from},
                    {"to", bin.to},
                    {"n_samples", bin.n_rows},
                    {"predicted", bin.predicted},
                    {"observed", bin.observed},
                    {"interval", interval_json(bin.interval)}});
  return {{"error", calibration.error}, {"bins", std::move(bins)}};
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation) {
  const Assessment assessment = assess(evaluation);
  std::string text = fmt::format("{:<18}{}\n", "samples", evaluation.n_samples);
  text += fmt::format("{:<18}{:<11}{:<21}{}\n", "", "value", fmt::format("{:g} % interval", 100 * kConfidence),
                      "best constant answer");
  if (!evaluation.targets.empty()) text += fmt::format("means over {} targets\n", evaluation.targets.size());
  for (const AssessedMeasure& measure : assessment.measures) text += measure_text(measure);
  if (assessment.calibration) text += fmt::format("{:<18}{:.6g}\n", "calibration error", assessment.calibration->error);
  if (!evaluation.classes.empty()) text += classes_text(evaluation, assessment);
  if (!evaluation.targets.empty()) text += targets_text(evaluation);
  return text;
}

Json evaluation_json(const Evaluation& evaluation) {
  const Assessment assessment = assess(evaluation);
  Json json = {{"n_samples", evaluation.n_samples}};
  if (!evaluation.classes.empty()) {
    json["classes"] = evaluation.classes;
    json["confusion"] = evaluation.by_class.confusion;
  }
  Json intervals, baseline;
  for (const AssessedMeasure& measure : assessment.measures) {
    const std::string name(name_of(measure.metric));
    json[name] = or_null(measure.value);
    intervals[name] = interval_json(measure.interval);
    baseline[name] = or_null(measure.baseline);
  }
  json["confidence"] = kConfidence;
  json["intervals"] = std::move(intervals);
  json["baseline"] = std::move(baseline);
  if (assessment.calibration) json["calibration"] = calibration_json(*assessment.calibration);
  if (!assessment.classes.empty()) json["by_class"] = Json::array();
  for (std::size_t c = 0; c < assessment.classes.size(); ++c)
    json["by_class"].push_back(class_json(evaluation.classes[c], assessment.classes[c]));
  if (!evaluation.targets.empty()) json["by_target"] = Json::array();
  for (std::size_t k = 0; k < evaluation.targets.size(); ++k) {
    json["by_target"].push_back(evaluation_json(evaluation.by_target[k]));
    json["by_target"].back()["target"] = evaluation.targets[k];
  }
  return json;
}

}  // namespace spicymkl::cli
