#include "spicymkl/report/report.hpp"

#include <fmt/format.h>

#include <ctime>
#include <map>

#include "html.hpp"
#include "resources.hpp"
#include "sections.hpp"
#include "spicymkl/version.hpp"

namespace spicymkl {

namespace {

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min);
}

/// The template with every @NAME@ replaced; what is put in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string_view, std::string_view>& parts) {
  std::string html;
  while (!page.empty()) {
    const std::size_t open = std::min(page.find('@'), page.size());
    html += page.substr(0, open);
    page.remove_prefix(open);
    if (page.empty()) break;
    const std::size_t close = page.find('@', 1);
    const auto part = close == page.npos ? parts.end() : parts.find(page.substr(1, close - 1));
    html += part == parts.end() ? page.substr(0, 1) : part->second;
    page.remove_prefix(part == parts.end() ? 1 : close + 1);
  }
  return html;
}

}  // namespace

std::string report_html(const Report& report) {
  Charts charts;
  std::string body = overview(report);
  body += asked_section(report);
  body += data_section(report);
  body += path_section(report, charts);
  body += cv_section(report, charts);
  body += certificate_section(report);
  body += convergence_section(report, charts);
  body += weights_section(report, charts);
  body += test_section(report, charts);
  const std::string title = escaped(report.title), date = now(), json = charts.json();
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
