// The proof, and how the solver got there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.hpp"
#include "sections.hpp"

namespace spicymkl {

namespace {

std::string fit_name(const Model& model, const Fit& fit) { return model.fits.size() > 1 ? fit.name() : "training"; }

std::string meaning(const Model& model) {
  if (model.fits.size() > 1)
    return (model.targets.empty() ? "Each class is learned against the rest. " : "Each target is learned by itself. ") +
           std::string(
               "The smallest possible value of its objective lies between the dual "
               "and the primal value; the primal value is that of the stored model.");
  const Certificate& certificate = model.fits.front().certificate;
  return fmt::format(
      "The smallest possible value of the objective lies between the dual and the primal value; the primal value is "
      "that "
      "of the stored model, which is therefore at most {:.2g} % above the optimum, whatever the solver did. "
      "The command 'spicymkl verify' recomputes both from the model and the data.",
      100 * certificate.relative_gap);
}

std::vector<Fact> certificate_facts(const Fit& fit) {
  return {{"Status", fit.status},
          {"Primal value", fmt::format("{:.10g}", fit.certificate.primal)},
          {"Dual value", fmt::format("{:.10g}", fit.certificate.dual_objective)},
          {"Relative gap", fmt::format("{:.3e}", fit.certificate.relative_gap)},
          {"Active kernels", fmt::format("{}", fit.expansion.kernels.size())},
          {"Outer iterations", fmt::format("{}", fit.iterations)},
          {"Newton steps", fmt::format("{}", fit.newton_steps)},
          {"Seconds", fmt::format("{:.3f}", fit.seconds)}};
}

using Json = Charts::Json;

/// The records with a value that an axis can show.
template <class Value>
Json points_of(const History& history, const Value& value) {
  Json points = Json::array();
  for (const Record& record : history)
    if (std::isfinite(value(record)) && value(record) >= 0) points.push_back({record.seconds, value(record)});
  return points;
}

Json gap_chart(const Report& report) {
  Json series = Json::array();
  double end = 0;
  for (std::size_t f = 0; f < std::min(kMostFitsShown, report.histories.size()); ++f) {
    const Fit& fit = report.model->fits[f];
    Json points = points_of(report.histories[f], [](const Record& r) { return r.gap > 0 ? r.gap : NAN; });
    if (fit.certificate.relative_gap > 0) points.push_back({fit.seconds, fit.certificate.relative_gap});
    series.push_back({{"name", fit_name(*report.model, fit)}, {"points", std::move(points)}});
    end = std::max(end, fit.seconds);
  }
  series.push_back(
      {{"name", "asked for"}, {"points", {{0, report.model->tol}, {end, report.model->tol}}}, {"look", "limit"}});
  return {{"kind", "lines"},     {"x", "seconds"}, {"from_start", true},
          {"y", "relative gap"}, {"log_y", true},  {"series", std::move(series)}};
}

Json active_chart(const Report& report) {
  Json series = Json::array();
  for (std::size_t f = 0; f < std::min(kMostFitsShown, report.histories.size()); ++f)
    series.push_back(
        {{"name", fit_name(*report.model, report.model->fits[f])},
         {"points", points_of(report.histories[f], [](const Record& r) { return static_cast<double>(r.n_active); })},
         {"stepped", true}});
  return {{"kind", "lines"},   {"x", "seconds"},  {"from_start", true},         {"y", "active kernels"},
          {"from_zero", true}, {"whole_y", true}, {"series", std::move(series)}};
}

}  // namespace

std::string certificate_section(const Report& report) {
  if (!report.model) return "";
  const Model& model = *report.model;
  std::string body = paragraph(meaning(model));
  if (model.fits.size() == 1) {
    body += facts_list(certificate_facts(model.fits.front()));
  } else {
    std::vector<std::string> head = {model.fits_are_of()};
    for (const Fact& fact : certificate_facts(model.fits.front())) head.push_back(fact.name);
    std::vector<std::vector<std::string>> rows;
    for (const Fit& fit : model.fits) {
      rows.push_back({fit.name()});
      for (const Fact& fact : certificate_facts(fit)) rows.back().push_back(fact.value);
    }
    const std::string table = plain_table(head, rows, 2);
    body += rows.size() <= kMostFitsShown ? table : details(fmt::format("All {} certificates", rows.size()), table);
  }
  for (const Fit& fit : model.fits)
    if (!fit.converged()) body += fmt::format("<p class=\"bad\">{}</p>\n", escaped(fit.message));
  return section("Certificate", body);
}

std::string convergence_section(const Report& report, Charts& charts) {
  if (report.histories.empty()) return "";
  std::string figures = charts.figure(
      gap_chart(report), "Relative duality gap against time",
      fmt::format(
          "Relative duality gap after each outer step{}. The last point is the certificate of the stored model.",
          report.histories.size() > kMostFitsShown
              ? fmt::format(", of the first {} of {}", kMostFitsShown, report.histories.size())
              : ""));
  figures += charts.figure(active_chart(report), "Number of active kernels against time",
                           "Kernels with a weight above 0 after each outer step.");
  return section("Convergence", "<div class=\"charts\">\n" + figures + "</div>\n");
}

}  // namespace spicymkl
