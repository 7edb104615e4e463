// Predictions of rows that the model has not seen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.hpp"
#include "sections.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

constexpr std::size_t kMostPoints = 500;  // of a curve; more are not seen

std::string metrics_table(const Evaluation& test) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [metric, value] : test.measurements)
    rows.push_back({std::string(name_of(metric)), value ? fmt::format("{:.4g}", *value) : "undefined"});
  return plain_table({"measure", "value"}, rows, 1);
}

std::string confusion_cell(Index count, Index row_sum) {
  const double part = row_sum > 0 ? static_cast<double>(count) / static_cast<double>(row_sum) : 0;
  return fmt::format("<td class=\"cell{}\" style=\"--part:{:.3f}\">{}<small>{}</small></td>",
                     part > 0.6 ? " strong" : "", part, count, row_sum > 0 ? percent_text(part) : "");
}

std::string confusion_table(const Evaluation& test) {
  std::string html = "<div class=\"scroll\"><table class=\"heat confusion\">\n<thead><tr><th>true ↓ predicted →</th>";
  for (const std::string& name : test.classes) html += fmt::format("<th scope=\"col\">{}</th>", escaped(name));
  html += "<th class=\"number\">rows</th></tr></thead>\n<tbody>\n";
  for (std::size_t c = 0; c < test.classes.size(); ++c) {
    Index sum = 0;
    for (const Index count : test.by_class.confusion[c]) sum += count;
    html += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(test.classes[c]));
    for (const Index count : test.by_class.confusion[c]) html += confusion_cell(count, sum);
    html += fmt::format("<td class=\"total\">{}</td></tr>\n", sum);
  }
  return html + "</tbody></table></div>\n";
}

/// The curve as rates, thinned; none if one of the two kinds of rows is absent.
Json rates(const RocCurve& curve) {
  Json points = Json::array();
  const RocPoint all = curve.back();
  if (all.false_positives == 0 || all.true_positives == 0) return points;
  const std::size_t step = std::max<std::size_t>(1, curve.size() / kMostPoints);
  for (std::size_t k = 0; k < curve.size(); k += step)
    points.push_back({curve[k].false_positives / all.false_positives, curve[k].true_positives / all.true_positives});
  points.push_back({1, 1});
  return points;
}

Json roc_chart(const Evaluation& test) {
  Json series = Json::array();
  for (std::size_t k = 0; k < test.by_class.roc.size(); ++k) {
    Json points = rates(test.by_class.roc[k]);
    if (points.empty()) continue;
    const std::string& positive = test.classes[test.classes.size() == 2 ? 1 : k];
    series.push_back({{"name", fmt::format("{} (AUC {:.3f})", positive, *area_under_curve(test.by_class.roc[k]))},
                      {"points", std::move(points)},
                      {"colour", k}});
  }
  if (series.empty()) return nullptr;
  series.push_back({{"name", "chance"}, {"points", {{0, 0}, {1, 1}}}, {"look", "dashed"}, {"colour", 7}});
  return {{"kind", "lines"},   {"x", "false positive rate"}, {"y", "true positive rate"},
          {"x_range", {0, 1}}, {"y_range", {0, 1}},          {"series", std::move(series)}};
}

std::string class_part(const Evaluation& test, Charts& charts) {
  std::string html = "<h3>Confusion matrix</h3>\n" + confusion_table(test);
  Json roc = roc_chart(test);
  if (roc.is_null()) return html;
  return html + "<h3>ROC curve</h3>\n" +
         charts.figure(std::move(roc), "Receiver operating characteristic",
                       "True against false positive rate for all thresholds of the score.", "class=\"chart square\"");
}

std::string number_part(const Evaluation& test, Charts& charts) {
  Json points = Json::array();
  const Index step = std::max<Index>(1, test.n_samples / static_cast<Index>(4 * kMostPoints));
  for (Index i = 0; i < test.n_samples; i += step) points.push_back({test.truth(i), test.predicted(i)});
  const double low = std::min(test.truth.minCoeff(), test.predicted.minCoeff());
  const double high = std::max(test.truth.maxCoeff(), test.predicted.maxCoeff());
  const Json series = {
      {{"name", "rows"}, {"points", std::move(points)}},
      {{"name", "prediction = truth"}, {"points", {{low, low}, {high, high}}}, {"look", "dashed"}, {"colour", 7}}};
  return "<h3>Prediction against truth</h3>\n" +
         charts.figure({{"kind", "points"}, {"x", "truth"}, {"y", "prediction"}, {"series", series}},
                       "Predictions against the truth",
                       step == 1 ? "One point per row." : fmt::format("One point for every {}th row.", step),
                       "class=\"chart square\"");
}

}  // namespace

std::string test_section(const Report& report, Charts& charts) {
  if (!report.test) return "";
  const Evaluation& test = *report.test;
  std::string body = paragraph(fmt::format("{}: {} rows.", report.test_source, test.n_samples)) + metrics_table(test);
  body += test.classes.empty() ? number_part(test, charts) : class_part(test, charts);
  return section("Test", body);
}

}  // namespace spicymkl
