// Measures and intervals in words.
#pragma once

#include <string>

#include "spicymkl/selection/assessment.hpp"
#include "spicymkl/selection/cross_validation.hpp"

namespace spicymkl {

std::string score_title(const CrossValidation& cv);

/// "0.81 to 0.92"; empty where there is none.
std::string interval_text(const std::optional<ConfidenceInterval>& interval);

}  // namespace spicymkl
