// Precomputed Gram matrices of which some were mended.
#pragma once

#include "spicymkl/bank/psd_repair.hpp"

namespace spicymkl {

/// Mended matrices stand in place of those that they mend; the others are read where they are.
struct MendedBank {
  std::shared_ptr<const DenseBank> bank;
  std::shared_ptr<const std::vector<PsdRepair>> repairs;  ///< null: mending was not asked for
};

/// The entries must have been checked. With PsdMethod::refuse the bank stays as it is, and must be fine.
MendedBank mend(std::shared_ptr<const DenseBank> bank, PsdMethod method);

}  // namespace spicymkl
