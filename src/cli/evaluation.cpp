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
  for (const AssessedMeasure& measure : assessment.measures) text += measure_text(measure);
  if (assessment.calibration) text += fmt::format("{:<18}{:.6g}\n", "calibration error", assessment.calibration->error);
  if (!evaluation.classes.empty()) text += classes_text(evaluation, assessment);
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
  for (std::size_t c = 0; c < assessment.classes.size(); ++c)
    json["by_class"].push_back(class_json(evaluation.classes[c], assessment.classes[c]));
  return json;
}

}  // namespace spicymkl::cli
