// Precomputed Gram matrices of which some were repaired.
#pragma once

#include "spicymkl/bank/psd_repair.hpp"

namespace spicymkl {

/// Repaired matrices stand in place of the given ones; the others are read where they are.
struct RepairedBank {
  std::shared_ptr<const DenseBank> bank;
  std::shared_ptr<const std::vector<PsdRepair>> repairs;  ///< null: repair was not asked for
};

/// The entries must have been checked. With PsdMethod::refuse the bank stays as it is, and must be fine.
RepairedBank repaired(std::shared_ptr<const DenseBank> bank, PsdMethod method);

}  // namespace spicymkl
