#include "spicymkl/report/report.hpp"

#include <fmt/format.h>

#include <ctime>

#include "html.hpp"
#include "page.hpp"
#include "resources.hpp"
#include "sections.hpp"
#include "spicymkl/version.hpp"

namespace spicymkl {

namespace {

constexpr Index kContributionRows = 500;

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min);
}

}  // namespace

std::string report_html(const Report& report) {
  Charts charts;
  TrainingContributions contributions;
  if (report.model) contributions = training_contributions(*report.model, kContributionRows, report.threads);
  std::string body = overview(report);
  body += scores_section(report, charts);
  body += cv_section(report, charts);
  body += survival_section(report, charts);
  body += path_section(report, charts);
  body += weights_section(report, contributions, charts);
  body += covariates_section(report);
  body += effects_section(report, contributions, charts);
  body += data_section(report);
  body += certificate_section(report);
  body += convergence_section(report, charts);
  body += asked_section(report);
  return page_html(report.title, now() + " ", body, charts);
}

std::string page_html(const std::string& heading, const std::string& date, const std::string& body,
                      const Charts& charts) {
  const std::string title = escaped(heading), json = charts.json();
  return filled(resources::page_html, {{"TITLE", title},
                                       {"VERSION", kVersion},
                                       {"DATE", date},
                                       {"BODY", body},
                                       {"CHARTS", json},
                                       {"STYLE", resources::report_css},
                                       {"SCRIPT", resources::report_js},
                                       {"CHART_JS", resources::chart_js},
                                       {"LICENCE", resources::chart_licence}});
}

}  // namespace spicymkl
