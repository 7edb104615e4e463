// The matrix of a Newton step, kept by a system that multiplies by it after `factor` has returned.
#pragma once

#include "core/renew.hpp"
#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// NewtonTerms with memory of its own.
struct OwnedTerms {
  std::vector<Index> kernels;
  Vector weights, diagonal;
  Matrix added, subtracted;  // U₊ and U₋

  void keep(const NewtonTerms& terms) {
    kernels.assign(terms.kernels.begin(), terms.kernels.end());
    const Index n = terms.low_rank.rows(), n_subtracted = terms.low_rank.cols() - terms.n_added;
    renew(weights, terms.weights.size(), 1);
    weights = terms.weights;
    diagonal = terms.diagonal;
    renew(added, n, terms.n_added);
    added = terms.low_rank.leftCols(terms.n_added);
    renew(subtracted, n, n_subtracted);
    subtracted = terms.low_rank.rightCols(n_subtracted);
  }

  /// out = the matrix times V, a Vector or a Matrix of out's size.
  template <class Block>
  void multiply(const KernelBank& bank, const Block& V, Block& out) const {
    bank.weighted_product(kernels, weights, V, out);
    add_samples_part(V, out);
  }

  /// out += what is not the kernels' of it.
  template <class Block>
  void add_samples_part(const Block& V, Block& out) const {
    out += diagonal.asDiagonal() * V;
    out.noalias() += added * (added.transpose() * V);
    out.noalias() -= subtracted * (subtracted.transpose() * V);
  }
};

}  // namespace spicymkl
