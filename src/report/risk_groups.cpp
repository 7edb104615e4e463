#include "risk_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "html.hpp"
#include "sections.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

std::string group_name(std::size_t k, std::size_t count) {
  if (count == 1) return "all rows";
  if (k == 0) return "low risk";
  return k + 1 == count ? "high risk" : "middle risk";
}

Json steps_of(const SurvivalCurve& curve) {
  Json points = {{0, 1}};
  for (std::size_t k = 0; k < curve.times.size(); ++k) points.push_back({curve.times[k], curve.share[k]});
  points.push_back({curve.last_time, curve.share.empty() ? 1 : curve.share.back()});
  return points;
}

/// The first time at which no more than half are without the event.
std::string median_text(const SurvivalCurve& curve) {
  const auto half = std::ranges::find_if(curve.share, [](double share) { return share <= 0.5; });
  return half == curve.share.end() ? "not reached" : number_text(curve.times[half - curve.share.begin()]);
}

}  // namespace

std::string risk_groups(const std::vector<SurvivalCurve>& curves, Charts& charts) {
  Json series = Json::array();
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const SurvivalCurve& curve = curves[k];
    series.push_back(
        {{"name", group_name(k, curves.size())}, {"points", steps_of(curve)}, {"look", "smooth"}, {"stepped", true}});
    rows.push_back({group_name(k, curves.size()), fmt::format("{}", curve.n_rows), fmt::format("{}", curve.n_events),
                    median_text(curve)});
  }
  const std::string figure = charts.figure(
      {{"kind", "lines"},
       {"x", "time"},
       {"y", "without the event"},
       {"y_range", {0, 1}},
       {"from_start", true},
       {"series", series}},
      "Survival by predicted risk",
      "<strong>Survival by predicted risk</strong>: the share of the rows without the event (Kaplan and Meier), for "
      "rows "
      "grouped by their log-risk into parts of equal size. The farther apart the lines, the more the model tells.");
  return "<h3>Survival by predicted risk</h3>\n" + figure +
         plain_table({"group", "rows", "events", "median time"}, rows, 1);
}

std::string survival_section(const Report& report, Charts& charts) {
  if (report.model == nullptr || !report.model->survival || report.test) return "";
  const Survival& survival = *report.model->survival;
  const std::optional<double> value = concordance(survival.times, survival.events, survival.log_risks).value();
  return section("Survival of the training rows",
                 paragraph(fmt::format("Concordance {}. The model has learned from these rows: of other rows it tells "
                                       "less. A test table or cross-validation says how much.",
                                       value ? fmt::format("{:.3g}", *value) : "undefined")) +
                     risk_groups(curves_by_risk(survival.times, survival.events, survival.log_risks), charts));
}

}  // namespace spicymkl
