#include "survival_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

struct SurvivalTensor {
  const char* name;
  Vector Survival::*member;
};

constexpr SurvivalTensor kSurvivalTensors[] = {{"survival.times", &Survival::times},
                                               {"survival.events", &Survival::events},
                                               {"survival.log_risks", &Survival::log_risks},
                                               {"survival.steps", &Survival::steps},
                                               {"survival.hazard", &Survival::hazard}};

}  // namespace

nlohmann::json survival_to_file(const Survival& survival, TensorFile& file) {
  for (const auto& [name, member] : kSurvivalTensors) file.tensors[name] = Tensor::of(survival.*member);
  return {{"event_name", survival.event_name}, {"event_code", survival.event_code}};
}

Survival survival_from_file(const nlohmann::json& json, const TensorFile& file) {
  Survival survival;
  survival.event_name = json.at("event_name").get<std::string>();
  survival.event_code = static_cast<int>(whole_value(json.at("event_code"), 2));
  for (const auto& [name, member] : kSurvivalTensors) survival.*member = file.tensors.at(name).vector();
  return survival;
}

void check_survival(const Survival& survival, Index n_samples) {
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw InputError(what);
  };
  require(n_samples > 0 && survival.times.size() == n_samples && survival.events.size() == n_samples &&
              survival.log_risks.size() == n_samples,
          "survival times and samples differ in number");
  require((survival.events.array() == 0 || survival.events.array() == 1).all() && survival.times.minCoeff() >= 0,
          "its survival times are none");
  require(survival.steps.size() > 0 && survival.hazard.size() == survival.steps.size() &&
              std::ranges::is_sorted(survival.steps) && std::ranges::is_sorted(survival.hazard) &&
              survival.hazard(0) >= 0,
          "its baseline hazard is none");
}

}  // namespace spicymkl
