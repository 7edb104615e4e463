// Sums of dense symmetric matrices.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Lower triangle of A += Σ_k weights_k matrices_set(k), each n×n doubles or floats with its columns one after
/// the other.
template <class Number>
void add_dense_sum(const std::vector<const Number*>& matrices, KernelSet set, ConstVectorRef weights, MatrixRef A,
                   int threads, const Watch& watch);

/// Sets the lower triangle to 0.
template <class Square>
void clear_lower(Square& A, int threads) {
  const Index n = A.rows();
  parallel_for(n, threads, static_cast<double>(n), [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) A.col(j).tail(n - j).setZero();
  });
}

/// Where column j of a lower triangle begins that is kept column after column, without what is above the diagonal.
inline Index start_of_packed_column(Index j, Index n) { return j * n - j * (j - 1) / 2; }

/// Lower triangle of A += Σ_k weights_k triangles_k, each kept like that.
void add_packed_sum(const std::vector<const float*>& triangles, ConstVectorRef weights, RoughMatrix& A, int threads,
                    const Watch& watch);

}  // namespace spicymkl
