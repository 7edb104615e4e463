// How well rows are predicted that the model has not seen.
#include "scores_section.hpp"

#include <fmt/format.h>

#include "class_scores.hpp"
#include "html.hpp"
#include "residuals.hpp"
#include "risk_groups.hpp"
#include "sections.hpp"

namespace spicymkl {

namespace {

/// With their zeros: "0.500".
std::string three_digits(double value) {
  std::string text = fmt::format("{:#.3g}", value);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string value_text(std::optional<double> value) { return value ? fmt::format("{:.4g}", *value) : "undefined"; }

std::string measures_table(const Assessment& assessment) {
  std::vector<std::vector<std::string>> rows;
  for (const AssessedMeasure& measure : assessment.measures)
    rows.push_back({std::string(title_of(measure.metric)), value_text(measure.value), interval_text(measure.interval),
                    measure.baseline ? fmt::format("{:.4g}", *measure.baseline) : ""});
  if (assessment.calibration)
    rows.push_back({"calibration error", fmt::format("{:.4g}", assessment.calibration->error), "", ""});
  return plain_table({"measure", "value", fmt::format("{:g} % interval", 100 * kConfidence), "best constant answer"},
                     rows, 1);
}

std::string measures_part(const Evaluation& test, const Assessment& assessment) {
  const char* constant = test.survival()        ? "the same risk, which orders no two of them"
                         : test.classes.empty() ? "the mean or median of these rows"
                                                : "the most frequent class, say";
  return "<h3>Measures</h3>\n" + measures_table(assessment) +
         fmt::format(
             "<p class=\"soft\">The interval says what chance in the choice of these {} rows explains. The last "
             "column is what one answer for all rows reaches: {}.</p>\n",
             test.n_samples, constant);
}

}  // namespace

std::string score_title(const CrossValidation& cv) {
  return cv.other_score.empty() ? std::string(title_of(cv.metric)) : cv.other_score;
}

std::string interval_text(const std::optional<ConfidenceInterval>& interval) {
  return interval ? fmt::format("{} to {}", three_digits(interval->low), three_digits(interval->high)) : "";
}

std::string scores_section(const Report& report, Charts& charts) {
  if (!report.test) return "";
  const Evaluation& test = *report.test;
  const Assessment assessment = assess(test);
  std::string body = paragraph(fmt::format("{}: {} rows.", report.test_source, test.n_samples));
  if (test.survival())
    return section("How good the predictions are",
                   body + measures_part(test, assessment) +
                       risk_groups(curves_by_risk(test.truth, test.events, test.predicted), charts));
  body += test.classes.empty() ? measures_part(test, assessment) + residual_charts(test, charts)
                               : class_tables(test, assessment, measures_part(test, assessment)) +
                                     class_charts(test, assessment, charts);
  return section("How good the predictions are", body);
}

}  // namespace spicymkl
