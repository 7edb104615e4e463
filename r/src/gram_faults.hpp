// What is wrong with a precomputed kernel, as R counts.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl::r {

/// The library's sentence on a kernel of `grams`, which calls it by its entry of `labels`: the library counts from 0,
/// and reads matrices row after row, so that its rows are the columns of R. Other sentences stay as they are.
std::string gram_fault_of_r(const std::string& sentence, const DenseBank& grams,
                            const std::vector<std::string>& labels);

}  // namespace spicymkl::r
