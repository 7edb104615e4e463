// When the options of a grid of alphas have an effect.
#pragma once

#include "learning.hpp"
#include "selection/selection_options.hpp"

namespace spicymkl::octave {

std::vector<OptionRule> alpha_rules(const PathOptions& options);

}  // namespace spicymkl::octave
