// How the dual vector of a support vector machine follows the kernel weights: the second derivatives of its optimal
// value.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// While the set F of samples strictly inside the domain of their dual values stays the same, ρ_F solves a linear
/// system with the Hessian A of the dual on F, bordered by 1ᵀρ = 0 when there is an intercept. Differentiating it gives
/// the Hessian u_mᵀZu_l of the optimal value over the weights, u_m = (K_mρ)_F being the columns of U and Z the inverse
/// of that system, Z = A⁻¹ − A⁻¹11ᵀA⁻¹/(1ᵀA⁻¹1) (Chapelle and Rakotomamonjy, 2008). With A = LLᵀ, U becomes V with VᵀV
/// that Hessian: L⁻¹U less its part along L⁻¹1. False where A has no factor.
[[nodiscard]] bool weight_hessian_factor(Matrix A, Matrix& U, bool fit_intercept, const KernelBank& bank);

}  // namespace spicymkl
