#include "charts.hpp"

#include <fmt/format.h>

#include "html.hpp"

namespace spicymkl {

std::string Charts::figure(Json chart, std::string_view label, std::string_view caption, std::string_view place) {
  const std::string id = fmt::format("chart-{}", charts_.size() + 1);
  chart["id"] = id;
  charts_.push_back(std::move(chart));
  return fmt::format(
      "<figure>\n<div {}><canvas id=\"{}\" role=\"img\" aria-label=\"{}\"></canvas></div>\n"
      "<figcaption>{}</figcaption>\n</figure>\n",
      place.empty() ? "class=\"chart\"" : place, id, escaped(label), caption);
}

std::string Charts::json() const {
  // A name that holds "</script>" or "<!--" must not end the element.
  std::string text;
  for (const char c : charts_.dump(-1, ' ', false, Json::error_handler_t::replace))
    if (c == '<') text += "\\u003c";
    else text += c;
  return text;
}

}  // namespace spicymkl
