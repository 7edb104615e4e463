// Is a user's matrix a Gram matrix? Refusals name the kernel and the place.
#pragma once

#include <functional>
#include <string>

#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl {

/// A matrix counts as indefinite when its smallest eigenvalue is below −kIndefiniteness times its largest. What lies
/// above is rounding, of single precision at worst, and is tolerated.
inline constexpr double kIndefiniteness = 1e-6;

/// A negative eigenvalue that is small enough to be rounding.
struct TinyNegative {
  Index kernel;
  double relative;  ///< a Ritz value, over the largest one: the eigenvalue is at most this
};

/// How a user sees the matrices of a bank, which refusals are to speak of.
struct GramView {
  std::function<std::string(Index kernel)> title;  ///< none: "kernel 'NAME' (number 3)"
  Index first = 0;                                 ///< the number of the first row
  bool columns_first = false;                      ///< stored column after column, as the bank reads them
  const char* transposed = "K^T";
};

/// Throws InputError, naming the first kernel that has a NaN or an infinity or is not symmetric.
void check_entries(const DenseBank& bank, const GramView& view = {});

/// Throws InputError also for the first kernel that is clearly not positive semi-definite; returns what it tolerated. A
/// few passes over each matrix: an indefinite matrix is refused on proof, a negative Rayleigh quotient found by a short
/// Lanczos run, never by a factorisation.
std::vector<TinyNegative> check_gram_matrices(const DenseBank& bank, const GramView& view = {});
std::vector<TinyNegative> check_gram_matrices(const SingleBank& bank);

/// What is known of the entries of a matrix that only its bank can read.
struct GramFindings {
  double largest = 0;            ///< |entry|, not finite where one is not
  double asymmetry = 0;          ///< the largest |K_ij − K_ji|
  double excess = 0;             ///< of |K_ij| over √(K_ii K_jj)
  double negative_diagonal = 0;  ///< the largest −K_ii, or 0
};

/// The same for such matrices, by what is known of their entries and by products. `single`: in single precision.
std::vector<TinyNegative> check_gram_matrices(const KernelBank& bank, bool single,
                                              const std::vector<GramFindings>& findings);

}  // namespace spicymkl
