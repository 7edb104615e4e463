// The quadratic programme of HessianMKL.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// minimise gᵀx + ½‖Vx‖² + (ridge/2)‖x‖² over x ≥ 0, Σx = 1, by an active-set method that grows the set of positive
/// entries one at a time: few of many thousand are. Ends when no entry's derivative is below the common one by more
/// than `accuracy`.
Vector minimise_on_simplex(const Vector& g, const Matrix& V, double ridge, double accuracy);

}  // namespace spicymkl
