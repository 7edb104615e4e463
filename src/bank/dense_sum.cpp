#include "dense_sum.hpp"

#include "core/flush_denormals.hpp"
#include "core/simd.hpp"

namespace spicymkl {

namespace {

constexpr Index kTogether = 4;            // matrices added in one go: the sum is read and written less often
constexpr Index kStripEntries = 1 << 15;  // of the sum: they stay in the second-level cache while all go by

/// target += Σ_k weights_k sources_k, kTogether of them.
template <class Number, class Sum>
void add_some(Index length, const Number* const* sources, const double* weights, Sum* target) {
  simd_dispatch([=]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    const Number *a = sources[0], *b = sources[1], *c = sources[2], *d = sources[3];
    const double x = weights[0], y = weights[1], z = weights[2], w = weights[3];
#pragma omp simd
    for (Index i = 0; i < length; ++i)
      target[i] += static_cast<Sum>((x * static_cast<double>(a[i]) + y * static_cast<double>(b[i])) +
                                    (z * static_cast<double>(c[i]) + w * static_cast<double>(d[i])));
  });
}

/// Lower triangle of A += Σ_k weights_k K_k over `count` matrices; column(k, j) is where column j of K_k has its
/// diagonal.
template <class Number, class Column, class Sum>
void add_columns(Index count, const Column& column, ConstVectorRef weights, Sum& A, int threads, const Watch& watch) {
  const Index n = A.rows();
  const auto add_strip = [&](Index first, Index last) {
    const FlushDenormals flush;
    for (Index k = 0; k < count; k += kTogether) {
      const Index present = std::min(kTogether, count - k);
      for (Index j = first; j < last; ++j) {
        const Number* sources[kTogether];
        double factors[kTogether];
        for (Index i = 0; i < kTogether; ++i) {  // a group that is not full is filled up with zeros
          sources[i] = column(i < present ? k + i : k, j);
          factors[i] = i < present ? weights(k + i) : 0;
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

}  // namespace

template <class Number>
void add_dense_sum(const std::vector<const Number*>& matrices, KernelSet set, ConstVectorRef weights, MatrixRef A,
                   int threads, const Watch& watch) {
  const Index n = A.rows();
  add_columns<Number>(
      std::ssize(set), [&](Index k, Index j) { return matrices[set[k]] + j * n + j; }, weights, A, threads, watch);
}

void add_packed_sum(const std::vector<const float*>& triangles, ConstVectorRef weights, RoughMatrix& A, int threads,
                    const Watch& watch) {
  const Index n = A.rows();
  add_columns<float>(
      std::ssize(triangles), [&](Index k, Index j) { return triangles[k] + start_of_packed_column(j, n); }, weights, A,
      threads, watch);
}

template void add_dense_sum(const std::vector<const double*>&, KernelSet, ConstVectorRef, MatrixRef, int, const Watch&);
template void add_dense_sum(const std::vector<const float*>&, KernelSet, ConstVectorRef, MatrixRef, int, const Watch&);

}  // namespace spicymkl
