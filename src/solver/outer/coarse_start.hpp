// A good place to start from: the answer for a part of the samples.
#pragma once

#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/strategy.hpp"

namespace spicymkl {

/// Goes beyond the paper: solves the problem on a quarter of the samples, and that one in the same way, down to a few
/// hundred. Kernel weights and predictions learned there are nearly those of all samples, while a pass over the kernels
/// costs a sixteenth and a Newton system a sixty-fourth. Each part is solved with what pays there of the plan. Empty
/// when the samples are few or the bank cannot be cut. What it took is added to `stage`.
WarmStart coarse_start(const Plan& plan, const Problem& problem, const Settings& settings, Stage& stage);

}  // namespace spicymkl
