// One-step optimisation (Section 4.3) for regularisers with a smooth dual.
#pragma once

#include "run.hpp"

namespace spicymkl {

/// Minimises Σℓ*_i(−ρ_i) + Σ_m G*(‖ρ‖_Km) on 1ᵀρ = 0, Eq. (48), by Newton's method. Departs from the paper in that the
/// equality is met exactly, by elimination, instead of by a penalty of 10⁵. A loss with constraints keeps the outer
/// loop over its multipliers ξ; without them there is one outer step.
Result solve_onestep(const Problem& problem, const Settings& settings, const WarmStart& warm_start = {},
                     const Role& role = {});

}  // namespace spicymkl
