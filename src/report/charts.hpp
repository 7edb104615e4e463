// The charts of a page: their numbers, and the places where report.js draws them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace spicymkl {

class Charts {
 public:
  using Json = nlohmann::ordered_json;

  /// The place of a chart: {"kind", "x", "y", "series", …} as report.js has it. `label` says what it shows, for those
  /// who cannot see it; `caption` is below it, as HTML; `place` holds further attributes of the place itself.
  std::string figure(Json chart, std::string_view label, std::string_view caption, std::string_view place = "");
  /// All charts, fit for a script element.
  std::string json() const;

 private:
  Json charts_ = Json::array();
};

}  // namespace spicymkl
