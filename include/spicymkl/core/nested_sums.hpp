// Sums over nested sets of samples, squared: the Hessian of losses that see samples leave one after the other.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// The matrix Σ_e c_e 1_e1_eᵀ, where 1_e is the indicator of the first n_e samples of an order. With h_i the sum of the
/// c_e of all sets that have sample i, its entries are min(h_i, h_j): it is known after one pass over the samples,
/// however many sets there are.
struct NestedSums {
  std::vector<Index> order;  ///< samples; those that are in no set may be missing
  std::vector<Index> sizes;  ///< n_e, rising
  Vector weights;            ///< c_e ≥ 0

  Index count() const { return std::ssize(sizes); }
  /// √c_e 1_e, column by column, of n samples.
  Matrix columns(Index n) const;
  /// 1_eᵀv
  Vector sums(ConstVectorRef v) const;
  /// The matrix times v.
  Vector product(ConstVectorRef v) const;
  /// h_i of n samples.
  Vector heights(Index n) const;
  /// Lower triangle of A += the matrix.
  void add_to(MatrixRef A, int threads) const;
};

}  // namespace spicymkl
