// Which kernels become kernels by features.
#pragma once

#include "spicymkl/pipeline/training_table.hpp"

namespace spicymkl {

/// Gives features to the kernels that have none yet, as the user asks: to all, or, where that is left to the library
/// (`auto`), to all if exact kernels would take more than some minutes or more than the memory. Returns what the user
/// should know, a sentence; "" where nothing changed.
std::string choose_features(std::vector<KernelSpec>& kernels, const Samples& samples, const KernelChoice& choice);

/// Names the kernels that their features cut: more than half of the trace is left out. "" where there is none.
std::string cut_kernels(const std::vector<FittedKernel>& kernels);

}  // namespace spicymkl
