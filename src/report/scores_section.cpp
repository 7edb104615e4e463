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

std::string means_part(const Evaluation& test, const Assessment& assessment) {
  std::vector<std::vector<std::string>> rows;
  for (const AssessedMeasure& measure : assessment.measures)
    rows.push_back({std::string(title_of(measure.metric)), value_text(measure.value), value_text(measure.baseline)});
  return fmt::format("<h3>Measures, means over {} targets</h3>\n", test.targets.size()) +
         plain_table({"measure", "mean", "best constant answer"}, rows, 1);
}

/// The measures of every target.
std::string targets_part(const Evaluation& test) {
  constexpr std::size_t kMostTargetRows = 500;
  std::vector<std::string> head = {"target"};
  for (const Measurement& one : test.measurements) head.push_back(std::string(title_of(one.metric)));
  head.push_back(fmt::format("R², {:g} % interval", 100 * kConfidence));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < std::min(kMostTargetRows, test.targets.size()); ++k) {
    const Assessment one = assess(test.by_target[k]);
    rows.push_back({test.targets[k]});
    for (const AssessedMeasure& measure : one.measures) rows.back().push_back(value_text(measure.value));
    rows.back().push_back(interval_text(one.measures.back().interval));
  }
  const std::string table = plain_table(head, rows, 1);
  if (test.targets.size() <= kMostFitsShown) return table;
  return details(rows.size() == test.targets.size()
                     ? fmt::format("All {} targets", rows.size())
                     : fmt::format("The first {} of {} targets", rows.size(), test.targets.size()),
                 table);
}

/// Charts of the first few targets.
std::string target_charts(const Evaluation& test, Charts& charts) {
  constexpr std::size_t kMostTargets = 4;
  std::string html;
  for (std::size_t k = 0; k < std::min(kMostTargets, test.targets.size()); ++k)
    html +=
        fmt::format("<h3>{}</h3>\n", escaped("Target " + test.targets[k])) + residual_charts(test.by_target[k], charts);
  return test.targets.size() <= kMostTargets
             ? html
             : html + fmt::format("<p class=\"soft\">Charts of the first {} of {} targets.</p>\n", kMostTargets,
                                  test.targets.size());
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
  if (!test.targets.empty())
    return section("How good the predictions are",
                   body + means_part(test, assessment) + targets_part(test) + target_charts(test, charts));
  body += test.classes.empty() ? measures_part(test, assessment) + residual_charts(test, charts)
                               : class_tables(test, assessment, measures_part(test, assessment)) +
                                     class_charts(test, assessment, charts);
  return section("How good the predictions are", body);
}

}  // namespace spicymkl
