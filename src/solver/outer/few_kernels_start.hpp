// A good place to start from: the answer for a part of the kernels, each of which stands for many.
#pragma once

#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/strategy.hpp"

namespace spicymkl {

/// Goes beyond the paper: where the penalty's dual is smooth, ρ depends on the kernels through Σ_m G*(‖ρ‖_Km) alone, a
/// sum that a sample of them estimates. Solves with a few kernels, each counted as many times as it stands for others,
/// at a fraction of the price of a Newton step. Empty when that was stopped. What it took is added to `stage`.
WarmStart start_from_few_kernels(const Plan& plan, const Problem& problem, const Settings& settings, Stage& stage);

}  // namespace spicymkl
