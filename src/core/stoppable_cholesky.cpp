#include "stoppable_cholesky.hpp"

#include <algorithm>

#include "blas.hpp"

namespace spicymkl {

namespace {

constexpr Index kQuick = 3000;  // a factorisation of this size takes less than a second
constexpr Index kPanel = 256;
constexpr Index kStrip = 1024;  // columns that are updated without asking

/// Lower triangle of A −= UUᵀ
template <class Target>
void update(const Target& U, Target A, int threads, const Watch& watch) {
  for (Index j = 0; j < A.rows(); j += kStrip) {
    watch.check();
    const Index width = std::min(kStrip, A.rows() - j), below = A.rows() - j - width;
    blas::symmetric_rank_k(-1, U.middleRows(j, width), A.block(j, j, width, width), threads);
    if (below > 0)
      blas::subtract_product(U.bottomRows(below), U.middleRows(j, width), A.block(j + width, j, below, width), threads);
  }
}

template <class Target>
bool factor_in_parts(Target& A, int threads, const Watch& watch) {
  watch.check();
  const Index n = A.rows();
  if (n <= kQuick) return blas::cholesky(A, threads);
  for (Index k = 0; k < n; k += kPanel) {
    const Index width = std::min(kPanel, n - k), rest = n - k - width;
    if (!blas::cholesky(A.block(k, k, width, width), 1)) return false;
    if (rest == 0) break;
    blas::divide_by_transposed(A.block(k, k, width, width), A.block(k + width, k, rest, width), threads);
    update<Target>(A.block(k + width, k, rest, width), A.block(k + width, k + width, rest, rest), threads, watch);
  }
  return true;
}

}  // namespace

bool stoppable_cholesky(MatrixRef A, int threads, const Watch& watch) { return factor_in_parts(A, threads, watch); }

bool stoppable_cholesky(blas::RoughRef A, int threads, const Watch& watch) {
  return factor_in_parts(A, threads, watch);
}

}  // namespace spicymkl
