// Gram matrices with negative eigenvalues, such as similarities made from measured distances, repaired on request.
#pragma once

#include <string>

#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl {

enum class PsdMethod {
  refuse,  ///< a clearly indefinite matrix is an InputError
  clip,    ///< negative eigenvalues become 0
  flip,    ///< negative eigenvalues change their sign
  shift    ///< a multiple of the identity is added
};

/// Throws InputError for a name that is none of refuse, clip, flip, shift.
PsdMethod parse_psd_method(const std::string& name);
std::string to_string(PsdMethod method);

/// The repaired matrix K̃ of one kernel. With V the eigenvectors of the negative eigenvalues, K̃ = KT where
/// T = I − VVᵀ (clip), I − 2VVᵀ (flip); a new row k(x) is repaired alike, k̃(x) = T k(x). A shift leaves new rows as
/// they are, for they are no training rows.
struct PsdRepair {
  Index kernel = 0;
  double smallest = 0;  ///< eigenvalue of K
  double largest = 0;
  Matrix gram;              ///< K̃
  Matrix negative_vectors;  ///< V; no columns for a shift
  double factor = 0;        ///< of VVᵀ in T

  /// Tv: Σ_i v_i k̃(x, x_i) = Σ_i (Tv)_i k(x, x_i).
  Vector carry(ConstVectorRef v) const;
};

/// Repairs each matrix whose smallest eigenvalue is clearly negative, in the order of the kernels. One Cholesky
/// factorisation proves that a matrix is fine; the others cost an eigenvalue decomposition each.
std::vector<PsdRepair> repair_gram_matrices(const DenseBank& bank, PsdMethod method);

/// Precomputed Gram matrices of which some were repaired: these stand in place of the given ones, the others are read
/// where they are.
struct RepairedBank {
  std::shared_ptr<const DenseBank> bank;
  std::shared_ptr<const std::vector<PsdRepair>> repairs;  ///< null: repairing was not asked for
};

/// The entries must have been checked. With PsdMethod::refuse the bank stays as it is, and must be fine.
RepairedBank repaired(std::shared_ptr<const DenseBank> bank, PsdMethod method);

}  // namespace spicymkl
