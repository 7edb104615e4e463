// Factors of kernels that are inner products of known features: nothing is left out, and no entry of a Gram matrix is
// computed.
#pragma once

#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

/// How many features the kernel has: the columns of a linear kernel or a cosine, the categories of an overlap, the
/// monomials of a polynomial of few columns. 0 where they are not known.
Index own_factor_width(const FittedKernel& kernel, const Samples& training);

/// Z with K = ZZᵀ, K the training Gram matrix, for a kernel whose features are known.
Matrix own_factor(const FittedKernel& kernel, const Samples& training);

}  // namespace spicymkl
