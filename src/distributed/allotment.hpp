// Which rank keeps which kernels.
#pragma once

#include "spicymkl/bank/bank_plan.hpp"

namespace spicymkl {

/// The rank of every kernel, so that all ranks have about as much to compute. Kernels of one family share their base
/// values and stay together, as far as families are small. Where `pinned`, the kernel is of rank 0.
std::vector<int> allot(const BankPlan& plan, const std::vector<bool>& pinned, int n_ranks);

}  // namespace spicymkl
