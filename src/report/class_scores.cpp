#include "class_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.hpp"
#include "scores_section.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

constexpr std::size_t kMostPoints = 500;  // of a curve; more are not seen
constexpr std::size_t kFewClasses = 6;    // whose confusion has room for shares
constexpr std::size_t kFewCurves = 4;     // more of them near the corner need a logarithmic axis

std::string confusion_cell(Index count, Index row_sum, bool with_share) {
  const double part = row_sum > 0 ? static_cast<double>(count) / static_cast<double>(row_sum) : 0;
  const std::string share = row_sum > 0 ? percent_text(part) : "";
  return fmt::format("<td class=\"cell{}{}\" style=\"--part:{:.3f}\" title=\"{}\">{}{}</td>",
                     part > kStrongColour ? " strong" : "", count == 0 ? " zero" : "", part, share, count,
                     with_share ? fmt::format("<small>{}</small>", share) : "");
}

std::string confusion_table(const Evaluation& test) {
  const bool few = test.classes.size() <= kFewClasses;
  std::string html =
      fmt::format("<div class=\"scroll\"><table class=\"heat confusion{}\">\n<thead><tr><th>true ↓<br>predicted →</th>",
                  few ? "" : " narrow");
  for (const std::string& name : test.classes) html += fmt::format("<th scope=\"col\">{}</th>", escaped(name));
  html += "<th class=\"number\">rows</th></tr></thead>\n<tbody>\n";
  for (std::size_t c = 0; c < test.classes.size(); ++c) {
    Index sum = 0;
    for (const Index count : test.by_class.confusion[c]) sum += count;
    html += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(test.classes[c]));
    for (const Index count : test.by_class.confusion[c]) html += confusion_cell(count, sum, few);
    html += fmt::format("<td class=\"total\">{}</td></tr>\n", sum);
  }
  return html + "</tbody></table></div>\n";
}

/// The class whose curve is the k-th.
std::size_t class_of_curve(const Evaluation& test, std::size_t k) { return test.classes.size() == 2 ? 1 : k; }

std::string share_cells(std::optional<double> value, const std::optional<ConfidenceInterval>& interval) {
  return fmt::format("<td class=\"number\">{}{}</td>", value ? fmt::format("{:.3f}", *value) : "",
                     value ? fmt::format(" <small>{}</small>", escaped(interval_text(interval))) : "");
}

std::string number_cell(std::optional<double> value) {
  return fmt::format("<td class=\"number\">{}</td>", value ? fmt::format("{:.3f}", *value) : "");
}

/// The swatches before the names are the legend of the curves.
std::string class_table(const Evaluation& test, const Assessment& assessment) {
  std::string html =
      "<div class=\"scroll\"><table class=\"classes\">\n<thead><tr><th class=\"name\">class</th><th "
      "class=\"number\">rows</th>"
      "<th class=\"number\">recall</th><th class=\"number\">precision</th><th class=\"number\">F1</th>"
      "<th class=\"number\">AUC</th><th class=\"number\">average precision</th></tr></thead>\n<tbody>\n";
  for (std::size_t c = 0; c < test.classes.size(); ++c) {
    const ClassAssessment& one = assessment.classes[c];
    html += fmt::format("<tr><td class=\"name\">{}{}</td><td class=\"number\">{}</td>", one.auc ? swatch(c) : "",
                        escaped(test.classes[c]), one.n_rows) +
            share_cells(one.recall, one.recall_interval) + share_cells(one.precision, one.precision_interval) +
            number_cell(one.f1) + number_cell(one.auc) + number_cell(one.average_precision) + "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// Whether both kinds of rows occur.
bool is_defined(const RocCurve& curve) { return curve.back().false_positives > 0 && curve.back().true_positives > 0; }

/// Every so-manieth point, and the last one.
template <class Value>
Json thinned(const RocCurve& curve, std::size_t first, const Value& value) {
  Json points = Json::array();
  const std::size_t step = std::max<std::size_t>(1, curve.size() / kMostPoints);
  for (std::size_t k = first; k + 1 < curve.size(); k += step) points.push_back(value(curve[k]));
  points.push_back(value(curve.back()));
  return points;
}

/// With many classes the first false positives are what tells their curves apart, and the axis is logarithmic: it
/// begins at half a false positive, where a curve that has none yet is drawn.
struct RocAxis {
  bool logarithmic = false;
  double least = 0;

  double rate(double false_positives, double all) const { return std::max(least, false_positives / all); }
};

RocAxis roc_axis(const Evaluation& test) {
  if (test.by_class.roc.size() <= kFewCurves) return {};
  return {true, 0.5 / static_cast<double>(test.n_samples)};
}

Json roc_chart(const Evaluation& test) {
  const RocAxis axis = roc_axis(test);
  Json series = Json::array();
  for (std::size_t k = 0; k < test.by_class.roc.size(); ++k) {
    const RocCurve& curve = test.by_class.roc[k];
    if (!is_defined(curve)) continue;
    const std::size_t c = class_of_curve(test, k);
    const RocPoint all = curve.back();
    series.push_back(
        {{"name", test.classes[c]}, {"colour", c}, {"points", thinned(curve, 0, [&](const RocPoint& point) {
                                                      return Json{axis.rate(point.false_positives, all.false_positives),
                                                                  point.true_positives / all.true_positives};
                                                    })}});
  }
  if (series.empty()) return nullptr;
  Json chance = Json::array();
  for (const double rate : {axis.least, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0})
    if (rate >= axis.least) chance.push_back({rate, rate});
  series.push_back({{"name", "chance"}, {"points", std::move(chance)}, {"look", "limit"}});
  return {{"kind", "lines"},
          {"x", "false positive rate"},
          {"y", "true positive rate"},
          {"log_x", axis.logarithmic},
          {"x_range", {axis.least, 1}},
          {"y_range", {0, 1}},
          {"legend", false},
          {"bare", true},
          {"series", std::move(series)}};
}

/// Precision against recall; the first point, no row found, has no precision.
Json precision_chart(const Evaluation& test) {
  Json series = Json::array();
  for (std::size_t k = 0; k < test.by_class.roc.size(); ++k) {
    const RocCurve& curve = test.by_class.roc[k];
    if (!is_defined(curve)) continue;
    const std::size_t c = class_of_curve(test, k);
    series.push_back({{"name", test.classes[c]},
                      {"colour", c},
                      {"points", thinned(curve, 1, [&](const RocPoint& point) {
                         return Json{point.true_positives / curve.back().true_positives,
                                     point.true_positives / (point.true_positives + point.false_positives)};
                       })}});
    const double share = curve.back().true_positives / static_cast<double>(test.n_samples);
    if (test.by_class.roc.size() == 1)
      series.push_back({{"name", "chance"}, {"points", {{0, share}, {1, share}}}, {"look", "limit"}});
  }
  return {{"kind", "lines"},   {"x", "recall"},   {"y", "precision"}, {"x_range", {0, 1}},
          {"y_range", {0, 1}}, {"legend", false}, {"bare", true},     {"series", std::move(series)}};
}

Json calibration_chart(const Calibration& calibration) {
  Json points = Json::array(), whiskers = Json::array(), rows = Json::array();
  for (const CalibrationBin& bin : calibration.bins) {
    points.push_back({bin.predicted, bin.observed});
    for (const double end : {bin.interval.low, bin.interval.high}) whiskers.push_back({bin.predicted, end});
    whiskers.push_back({bin.predicted, nullptr});
    rows.push_back({bin.from, 0});
    for (const double edge : {bin.from, bin.to}) rows.push_back({edge, bin.n_rows});
    rows.push_back({bin.to, 0});
  }
  const Json series = {{{"name", "observed"}, {"points", std::move(points)}},
                       {{"name", ""}, {"points", std::move(whiskers)}, {"look", "whiskers"}},
                       {{"name", "calibrated"}, {"points", {{0, 0}, {1, 1}}}, {"look", "limit"}},
                       {{"name", ""}, {"points", std::move(rows)}, {"look", "density"}}};
  return {{"kind", "lines"},           {"x", "predicted probability"},
          {"y", "observed frequency"}, {"x_range", {0, 1}},
          {"y_range", {0, 1}},         {"legend", false},
          {"series", series}};
}

}  // namespace

std::string class_tables(const Evaluation& test, const Assessment& assessment, const std::string& measures) {
  return fmt::format(
      "<div class=\"beside {}\">\n<div>\n{}</div>\n<div>\n<h3>Confusion matrix</h3>\n{}</div>\n</div>\n"
      "<h3>Class by class</h3>\n{}",
      test.classes.size() <= kFewClasses ? "" : "wide-right", measures, confusion_table(test),
      class_table(test, assessment));
}

std::string class_charts(const Evaluation& test, const Assessment& assessment, Charts& charts) {
  std::string figures;
  const std::string_view place = "class=\"chart square\"";
  const std::string of = test.classes.size() == 2 ? fmt::format(" Positive: {}.", escaped(test.classes[1])) : "";
  if (Json roc = roc_chart(test); !roc.is_null()) {
    const bool logarithmic = roc["log_x"];
    figures += charts.figure(
        std::move(roc), "Receiver operating characteristic",
        fmt::format(
            "<strong>ROC.</strong> True against false positive rate for all thresholds of the score.{}{} Dashed: "
            "chance.",
            of, logarithmic ? " The false positive rate is logarithmic, so that curves near 1 can be told apart." : ""),
        place);
    figures += charts.figure(precision_chart(test), "Precision and recall",
                             fmt::format("<strong>Precision and recall</strong> for all thresholds of the score: how "
                                         "many of the rows that are found "
                                         "are right, against how many there are to find.{}",
                                         of),
                             place);
  }
  if (assessment.calibration)
    figures += charts.figure(
        calibration_chart(*assessment.calibration), "Calibration",
        fmt::format(
            "<strong>Calibration.</strong> How often {} in rows of about the same predicted probability, with {:g} % "
            "intervals; in the background the number of rows. Expected calibration error {:.3g}.",
            test.classes.size() == 2 ? fmt::format("the class was {}", escaped(test.classes[1]))
                                     : "the predicted class was right",
            100 * kConfidence, assessment.calibration->error),
        place);
  return "<div class=\"charts three\">\n" + figures + "</div>\n";
}

}  // namespace spicymkl
