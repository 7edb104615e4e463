// How far predictions of numbers are from the truth.
#pragma once

#include "charts.hpp"
#include "spicymkl/selection/measure.hpp"

namespace spicymkl {

std::string residual_charts(const Evaluation& test, Charts& charts);

}  // namespace spicymkl
