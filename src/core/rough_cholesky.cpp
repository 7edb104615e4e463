#include "rough_cholesky.hpp"
#include "renew.hpp"

#include "blas.hpp"
#include "spicymkl/core/parallel.hpp"
#include "stoppable_cholesky.hpp"

namespace spicymkl {

bool RoughCholesky::factor(const Eigen::MatrixXf& S, ConstVectorRef diagonal, const Matrix& U, int threads,
                           const Watch& watch) {
  const Index n = S.rows();
  unit_ = (diagonal + S.diagonal().cast<double>() + U.rowwise().squaredNorm()).cwiseSqrt().cwiseInverse();
  if (!unit_.allFinite()) return false;
  renew(lower_, n, n);
  parallel_for(n, threads, static_cast<double>(n), [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const auto below = unit_.tail(n - j).array() * S.col(j).tail(n - j).cast<double>().array();
      lower_.col(j).tail(n - j) = (unit_(j) * below).cast<float>();
      lower_(j, j) += static_cast<float>(unit_(j) * unit_(j) * diagonal(j));
    }
  });
  blas::symmetric_rank_k(1, (unit_.asDiagonal() * U).cast<float>(), lower_, threads);
  return stoppable_cholesky(lower_, threads, watch) && lower_.diagonal().allFinite();
}

void RoughCholesky::solve(MatrixRef V, int threads) const {
  const auto n = static_cast<double>(V.rows());
  parallel_for(V.cols(), threads, n * n, [&](Index begin, Index end) {
    Eigen::MatrixXf scaled = (unit_.asDiagonal() * V.middleCols(begin, end - begin)).cast<float>();
    blas::cholesky_solve(lower_, scaled);
    V.middleCols(begin, end - begin) = unit_.asDiagonal() * scaled.cast<double>();
  });
}

}  // namespace spicymkl
