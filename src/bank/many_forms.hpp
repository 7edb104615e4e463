// Quadratic forms of many vectors at the price of reading every kernel once.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// out(m, p) = v_pᵀ K_m v_p for every kernel and every column v_p of V, never negative. Each kernel is assembled once:
/// a pass over stored matrices becomes a matrix product, and kernels on the fly are computed once instead of once a
/// vector.
void quadratic_forms_of_many(const KernelBank& bank, ConstMatrixRef V, MatrixRef out);

}  // namespace spicymkl
