#include "html.hpp"

#include <fmt/format.h>

#include <cmath>

#include "spicymkl/core/printable.hpp"

namespace spicymkl {

std::string escaped(std::string_view text) {
  static const std::map<char, std::string_view> kEntities = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string html;
  for (const char c : printable(text)) {
    const auto entity = kEntities.find(c);
    if (entity == kEntities.end()) html += c;
    else html += entity->second;
  }
  return html;
}

std::string facts_list(const std::vector<Fact>& facts) {
  std::string html = "<dl class=\"facts\">\n";
  for (const Fact& fact : facts)
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(fact.name), escaped(fact.value));
  return html + "</dl>\n";
}

std::string plain_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                        std::size_t first_number) {
  const auto line = [&](const char* tag, const std::vector<std::string>& cells) {
    std::string html = "<tr>";
    for (std::size_t k = 0; k < cells.size(); ++k)
      html += fmt::format("<{0}{1}>{2}</{0}>", tag, k >= first_number ? " class=\"number\"" : "", escaped(cells[k]));
    return html + "</tr>\n";
  };
  std::string html = "<div class=\"scroll\"><table>\n<thead>" + line("th", head) + "</thead>\n<tbody>\n";
  for (const auto& row : rows) html += line("td", row);
  return html + "</tbody></table></div>\n";
}

std::string section(std::string_view heading, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(heading), body);
}

std::string paragraph(std::string_view text) { return fmt::format("<p>{}</p>\n", escaped(text)); }

std::string details(std::string_view summary, const std::string& body) {
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", escaped(summary), body);
}

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

std::string swatch(std::size_t k) {
  constexpr std::size_t kNamed = 12;  // colours of report.css
  const std::string colour = k < kNamed
                                 ? fmt::format("var(--series-{})", k + 1)
                                 : fmt::format("hsl({} 55% 50%)", std::fmod(137.5 * static_cast<double>(k), 360));
  return fmt::format("<i class=\"swatch\" style=\"background:{}\"></i>", colour);
}

std::string number_text(double value) { return fmt::format("{:.5g}", value); }

std::string percent_text(double share) {
  const bool vanishes = share > 0 && share < 0.0005;  // one digit after the point would say 0
  return vanishes ? fmt::format("{:.1g} %", 100 * share) : fmt::format("{:.1f} %", 100 * share);
}

}  // namespace spicymkl
