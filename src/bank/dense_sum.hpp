// Weighted sums of dense symmetric matrices.
#pragma once

#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

/// Lower triangle of A += Σ_k weights_k matrices_set(k), each n×n doubles or floats with its columns one after
/// the other.
template <class Number>
void add_dense_sum(const std::vector<const Number*>& matrices, KernelSet set, ConstVectorRef weights, MatrixRef A,
                   int threads, const Watch& watch);

}  // namespace spicymkl
