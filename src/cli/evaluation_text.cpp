#include "evaluation_text.hpp"

#include <fmt/format.h>

namespace spicymkl::cli {

std::string evaluation_text(const Evaluation& evaluation) {
  std::string text = fmt::format("{:<18}{}\n", "samples", evaluation.n_samples);
  for (const auto& [metric, value] : evaluation.measurements)
    text += fmt::format("{:<18}{}\n", name_of(metric), value ? fmt::format("{:.6g}", *value) : "undefined");
  return text;
}

nlohmann::ordered_json evaluation_json(const Evaluation& evaluation) {
  nlohmann::ordered_json json = {{"n_samples", evaluation.n_samples}};
  if (!evaluation.classes.empty()) {
    json["classes"] = evaluation.classes;
    json["confusion"] = evaluation.by_class.confusion;
  }
  for (const auto& [metric, value] : evaluation.measurements) {
    auto& entry = json[std::string(name_of(metric))];
    if (value) entry = *value;
  }
  return json;
}

}  // namespace spicymkl::cli
