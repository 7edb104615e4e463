// What happened to rows on their way to kernels that its owner should know of, one sentence each: the command prints
// them, Python warns.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/pipeline/training_input.hpp"

namespace spicymkl {

std::vector<std::string> input_notes(const TrainingTable& table);
/// Of precomputed kernels: eigenvalues below 0 that were taken for rounding, and kernels that were repaired.
std::vector<std::string> gram_notes(const TrainingInput& input);

}  // namespace spicymkl
