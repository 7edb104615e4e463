// Predictions compared with the truth, in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "spicymkl/selection/measure.hpp"

namespace spicymkl::cli {

std::string evaluation_text(const Evaluation& evaluation);
nlohmann::ordered_json evaluation_json(const Evaluation& evaluation);

}  // namespace spicymkl::cli
