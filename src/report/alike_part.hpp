// A caution where kernels say the same, so that their weights can move from one to the other.
#pragma once

#include <string>

#include "spicymkl/model/contributions.hpp"

namespace spicymkl {

/// Empty where there are no contributions, or fewer than two active kernels.
std::string alike_part(const Model& model, const TrainingContributions& contributions);

}  // namespace spicymkl
