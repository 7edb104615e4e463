// Weighted sums of dense symmetric matrices.
#pragma once

#include <algorithm>

#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

inline constexpr std::size_t kTogether = 4;      // matrices added in one go: the sum is read and written less often
inline constexpr Index kStripEntries = 1 << 15;  // of the sum: they stay in the second-level cache while all go by

/// target += Σ_k weights_k sources_k, kTogether of them.
void add_some(Index length, const double* const* sources, const double* weights, double* target);

/// Lower triangle of A += Σ_k weights_k · matrix(k), k < count, each n×n with its columns one after the other.
template <class MatrixAt>
void add_dense_sum(std::size_t count, const MatrixAt& matrix, ConstVectorRef weights, MatrixRef A, int threads,
                   const Watch& watch) {
  const Index n = A.rows();
  const auto add_strip = [&](Index first, Index last) {
    for (std::size_t k = 0; k < count; k += kTogether) {
      const std::size_t present = std::min(kTogether, count - k);
      for (Index j = first; j < last; ++j) {
        const double* sources[kTogether];
        double factors[kTogether];
        for (std::size_t i = 0; i < kTogether; ++i) {  // a group that is not full is filled up with zeros
          sources[i] = matrix(i < present ? k + i : k) + j * n + j;
          factors[i] = i < present ? weights(static_cast<Index>(k + i)) : 0;
        }
        add_some(n - j, sources, factors, &A(j, j));
      }
    }
  };
  const Index fair = (n + 2 * threads - 1) / (2 * threads);
  const Index width = std::clamp<Index>(kStripEntries / n, 1, fair);
  const Index strips = (n + width - 1) / width;
  // Columns of the lower triangle get shorter: pairing the first strip with the last gives every thread the same work.
  const double cost = static_cast<double>(n * width) * static_cast<double>(count);
  StopCheck stop(watch);
  parallel_for((strips + 1) / 2, threads, cost, [&](Index begin, Index end) {
    for (Index t = begin; t < end && !stop.skip(); ++t) {
      add_strip(t * width, std::min(n, (t + 1) * width));
      const Index other = strips - 1 - t;
      if (other != t) add_strip(other * width, std::min(n, (other + 1) * width));
    }
  });
  stop.finish();
}

}  // namespace spicymkl
