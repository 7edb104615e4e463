// Is a user's matrix a Gram matrix? Refusals name the kernel and the place.
#pragma once

#include "spicymkl/bank/dense_bank.hpp"
#include "spicymkl/bank/single_bank.hpp"

namespace spicymkl {

/// Throws InputError, naming the first kernel that has a NaN or an infinity, is not symmetric, or is clearly not positive
/// semi-definite. A few passes over each matrix: an indefinite matrix is refused on proof, a negative Rayleigh quotient
/// found by a short Lanczos run, never by a factorisation.
void check_gram_matrices(const DenseBank& bank);
void check_gram_matrices(const SingleBank& bank);

}  // namespace spicymkl
