// When the options of a grid of alphas have an effect.
#pragma once

#include "option_rules.hpp"
#include "selection/selection_options.hpp"

namespace spicymkl::cli {

inline std::vector<OptionRule> alpha_rules(const PathOptions& options) {
  return {{{"--n-alphas", "--alpha-ratio"}, options.alphas.empty(), "with --alphas, which lists the values"},
          {{"--alpha-ratio"}, options.n_alphas != 1, "with --n-alphas 1, which is alpha_max alone"}};
}

}  // namespace spicymkl::cli
