// What a model keeps of Gram matrices that were made positive semi-definite, so that new rows are repaired alike.
#pragma once

#include "spicymkl/bank/psd_repair.hpp"
#include "spicymkl/model/fit.hpp"

namespace spicymkl {

struct GramRepair {
  /// T_m·dual of every output, side by side: new rows k(x) of this kernel meet it in place of the dual vectors, so that
  /// they need no repair themselves.
  struct Carried {
    Index kernel;
    Matrix dual;  ///< N × outputs
  };

  PsdMethod method = PsdMethod::refuse;
  std::vector<Index> kernels;    ///< whose matrices were repaired
  std::vector<Carried> carried;  ///< of those that are active and whose new rows change

  /// The dual vectors that new rows of `kernel` meet; null: those of the fits.
  const Matrix* dual_of(Index kernel) const;
};

GramRepair make_gram_repair(PsdMethod method, const std::vector<PsdRepair>& repairs, const std::vector<Fit>& fits);

}  // namespace spicymkl
