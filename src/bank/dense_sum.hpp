// Sums of dense symmetric matrices and of products.
#pragma once

#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

/// Lower triangle of A += Σ_k weights_k matrices_set(k), each n×n doubles or floats with its columns one after
/// the other.
template <class Number>
void add_dense_sum(const std::vector<const Number*>& matrices, KernelSet set, ConstVectorRef weights, MatrixRef A,
                   int threads, const Watch& watch);

/// Where column j of a lower triangle begins that is kept column after column, without what is above the diagonal.
inline Index start_of_packed_column(Index j, Index n) { return j * n - j * (j - 1) / 2; }

/// Lower triangle of A += Σ_k weights_k triangles_k, each kept like that.
void add_packed_sum(const std::vector<const float*>& triangles, ConstVectorRef weights, MatrixRef A, int threads,
                    const Watch& watch);

/// Σ UUᵀ in single precision: half the time, and good enough to precondition with.
class RoughProducts {
 public:
  void add(const Matrix& U, int threads);
  /// Lower triangle of A += the sum; nothing if nothing was added.
  void add_to(MatrixRef A, int threads) const;

 private:
  Eigen::MatrixXf sum_;
};

}  // namespace spicymkl
