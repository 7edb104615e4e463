// What happened to a table on its way to kernels that its owner should know of, one sentence each: the command prints
// them, Python warns.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/pipeline/training_table.hpp"

namespace spicymkl {

std::vector<std::string> input_notes(const TrainingTable& table);

}  // namespace spicymkl
