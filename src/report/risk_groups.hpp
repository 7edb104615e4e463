// What became of rows with high and with low predicted risk.
#pragma once

#include "charts.hpp"
#include "spicymkl/selection/survival_metrics.hpp"

namespace spicymkl {

/// Their curves, those with the lowest risk first, and a table.
std::string risk_groups(const std::vector<SurvivalCurve>& curves, Charts& charts);

}  // namespace spicymkl
