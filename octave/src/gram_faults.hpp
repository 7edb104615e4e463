// What is wrong with a precomputed kernel, as Octave counts.
#pragma once

#include <string>

#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl::octave {

/// The library's sentence on a kernel of `grams`: the library counts from 0, and reads matrices row after row, so that
/// its rows are the columns of Octave. Other sentences stay as they are.
std::string gram_fault_of_octave(const std::string& sentence, const DenseBank& grams);

}  // namespace spicymkl::octave
