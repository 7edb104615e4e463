// Newton's method on the conditions of Karush, Kuhn and Tucker, for smooth losses with the block 1-norm.
#pragma once

#include "run.hpp"

namespace spicymkl {

/// With x_m = ‖f_m‖ and u_m = K_mρ/‖ρ‖_Km a solution satisfies ∇ΣL*_i(−ρ_i) + Σ x_m u_m + Cb = 0, Cᵀρ = 0, and
/// ‖ρ‖_Km ≤ alpha with x_m ≥ 0, one of them an equation for every kernel. The proximal loop reaches that by a sequence
/// of minimisations; here ρ, x and b take Newton steps together (sequential quadratic programming on the dual), each
/// with one factorisation and the linearised conditions of all kernels. Steps are shortened where the primal value
/// would rise by more than a small part of the gap. It may get stuck: other methods take over from its answer then. For
/// problems whose outline allows_kkt(). docs/mathematics.md has the equations.
Result solve_kkt(const Problem& problem, const Settings& settings, const WarmStart& warm_start = {},
                 const Role& role = {});

}  // namespace spicymkl
