#include "partial_cholesky.hpp"
#include "renew.hpp"

#include <algorithm>

#include "blas.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr Index kBlock = 64;       // rows eliminated together: matrix products instead of vectors
constexpr double kSmall = 0.3;     // what may remain of B, beside the row's own diagonal entry,
constexpr double kTolerable = 3;   // or so much of it, where less would take too many rows
constexpr Index kLargestPart = 3;  // to eliminate a larger part of the rows than 1/3 does not pay
constexpr double kFree = 1e4;      // rows that have next to nothing of their own are eliminated, all of them

}  // namespace

std::vector<Index> PartialCholesky::next_pivots(ConstVectorRef own) const {
  std::vector<Index> candidates;
  const auto excess = [&](Index i) { return remaining_(i) / own(i); };
  for (Index i = 0; i < own.size(); ++i)
    if (remaining_(i) > (1 + kSmall) * own(i)) candidates.push_back(i);
  const auto count = std::min(std::ssize(candidates), kBlock);
  std::partial_sort(candidates.begin(), candidates.begin() + count, candidates.end(),
                    [&](Index a, Index b) { return excess(a) > excess(b) || (excess(a) == excess(b) && a < b); });
  candidates.resize(count);
  return candidates;
}

void PartialCholesky::gather(const Matrix& A, const std::vector<Index>& pivots, MatrixRef columns, int threads) const {
  const auto n_pivots = std::ssize(pivots);
  parallel_for(A.rows(), threads, static_cast<double>(n_pivots), [&](Index begin, Index end) {
    for (Index k = 0; k < n_pivots; ++k) {
      const Index p = pivots[k];
      for (Index i = begin; i < std::min(end, p); ++i) columns(i, k) = A(p, i);
      for (Index i = std::max(begin, p); i < end; ++i) columns(i, k) = A(i, p);
    }
  });
  const auto done = columns_.leftCols(rank());
  const Matrix rows = done(pivots, Eigen::all);
  blas::subtract_product(done, rows, columns, threads);
}

bool PartialCholesky::eliminate(const Matrix& A, const std::vector<Index>& pivots, int threads) {
  auto block = columns_.middleCols(rank(), std::ssize(pivots));
  gather(A, pivots, block, threads);
  Matrix corner = block(pivots, Eigen::all);
  if (!blas::cholesky(corner, 1)) return false;
  blas::divide_by_transposed(corner, block, threads);
  for (Index k = 0; k < std::ssize(pivots); ++k)  // exactly triangular where rows were eliminated
    block.row(pivots[k]).tail(block.cols() - k - 1).setZero();
  for (const Index p : pivots_) block.row(p).setZero();
  remaining_ -= block.rowwise().squaredNorm();
  pivots_.insert(pivots_.end(), pivots.begin(), pivots.end());
  for (const Index p : pivots) remaining_(p) = 0;
  return true;
}

bool PartialCholesky::factor(const Matrix& A, ConstVectorRef own, int threads, const Watch& watch) {
  const Index most = A.rows() / kLargestPart;
  renew(columns_, A.rows(), most);
  pivots_.clear();
  remaining_ = A.diagonal();
  for (std::vector<Index> pivots = next_pivots(own); !pivots.empty(); pivots = next_pivots(own)) {
    watch.check();
    if (rank() == most) {
      if ((remaining_.array() > (1 + kTolerable) * own.array()).any()) return false;
      break;
    }
    pivots.resize(std::min(std::ssize(pivots), most - rank()));
    if (!eliminate(A, pivots, threads)) return false;
    // The first block took away what is large in a few directions only; now the free rows show.
    if (rank() + (remaining_.array() > kFree * own.array()).count() > most) return false;
    for (Index i = 0; i < own.size(); ++i)  // rounding cannot take away a row's own entry
      if (remaining_(i) != 0) remaining_(i) = std::max(remaining_(i), own(i));
  }
  renew(top_, rank(), rank());
  top_ = columns_.leftCols(rank())(pivots_, Eigen::all);
  return columns_.leftCols(rank()).allFinite();
}

// With F the eliminated rows and B the others, P = [L_F 0; L_B I]·diag(I, S)·[L_F 0; L_B I]ᵀ, S the remaining diagonal.
void PartialCholesky::solve(MatrixRef V, int threads) const {
  const auto L = columns_.leftCols(rank());
  renew(head_, rank(), V.cols());
  head_ = V(pivots_, Eigen::all);
  blas::solve_lower(top_, head_, false);
  blas::add_product(-1, L, head_, V, threads);
  for (Index i = 0; i < V.rows(); ++i) V.row(i) *= remaining_(i) > 0 ? 1 / remaining_(i) : 0;
  blas::add_transposed_product(-1, L, V, head_, threads);
  blas::solve_lower(top_, head_, true);
  V(pivots_, Eigen::all) = head_;
}

}  // namespace spicymkl
