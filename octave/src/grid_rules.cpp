#include "grid_rules.hpp"

namespace spicymkl::octave {

std::vector<OptionRule> alpha_rules(const PathOptions& options) {
  return {{{"n_alphas", "alpha_ratio"}, options.alphas.empty(), "with options.alphas, which lists the values"},
          {{"alpha_ratio"}, options.n_alphas != 1, "with options.n_alphas 1, which is alpha_max alone"}};
}

}  // namespace spicymkl::octave
