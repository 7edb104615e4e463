// Quadratic forms of a vector with many zeros.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// out(m) = vᵀK_m v for every kernel. Of dense kernels only the rows and columns are read where v is not 0.
void support_forms(const KernelBank& bank, ConstVectorRef v, VectorRef out);

}  // namespace spicymkl
