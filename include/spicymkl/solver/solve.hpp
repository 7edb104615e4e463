// The entry of the library: a problem in, a certified answer out.
#pragma once

#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// Solves with the solver that the settings name; `automatic` takes the one-step solver where the regulariser's dual is
/// smooth and the proximal loop elsewhere. Not converging is a Status, a mistake in the settings an InputError.
Result solve(const Problem& problem, const Settings& settings = {}, const WarmStart& warm_start = {});

}  // namespace spicymkl
