// What each kernel does for each of several outputs that share its weight.
#pragma once

#include "spicymkl/model/contributions.hpp"

namespace spicymkl {

/// Kernels × classes or targets that are learned at once; empty where there are none, or no training rows to look at.
std::string outputs_part(const Model& model, const TrainingContributions& contributions);

}  // namespace spicymkl
