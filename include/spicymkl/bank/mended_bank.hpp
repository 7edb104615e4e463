// Precomputed Gram matrices of which some were mended.
#pragma once

#include "spicymkl/bank/psd_repair.hpp"

namespace spicymkl {

/// The bank with the mended matrices in place of those that they mend; the others are read where they are.
std::shared_ptr<const DenseBank> mended_bank(const std::shared_ptr<const DenseBank>& bank,
                                             const std::shared_ptr<const std::vector<PsdRepair>>& repairs);

}  // namespace spicymkl
