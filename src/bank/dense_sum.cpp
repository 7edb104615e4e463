#include "dense_sum.hpp"

#include "core/simd.hpp"

namespace spicymkl {

void add_some(Index length, const double* const* sources, const double* weights, double* target) {
  simd_dispatch([=]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    const double *a = sources[0], *b = sources[1], *c = sources[2], *d = sources[3];
    const double x = weights[0], y = weights[1], z = weights[2], w = weights[3];
#pragma omp simd
    for (Index i = 0; i < length; ++i) target[i] += (x * a[i] + y * b[i]) + (z * c[i] + w * d[i]);
  });
}

}  // namespace spicymkl
