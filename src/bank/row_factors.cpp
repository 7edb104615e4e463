#include "row_factors.hpp"

#include <algorithm>
#include <atomic>

#include "core/blas.hpp"

namespace spicymkl {

namespace {

constexpr Index kInverseBlock = 64;  // columns of an inverse that are worked out together

}  // namespace

bool RowFactors::factor(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals) {
  bool same = true;
  for (Index k = 1; k < diagonals.cols() && same; ++k) same = diagonals.col(k) == diagonals.col(0);
  count_ = same ? 1 : diagonals.cols();
  const double matrices = static_cast<double>(count_) + 1;
  dense_ = bank_.sums() != nullptr && bank_.has_room_for(matrices);
  return dense_ ? factor_dense(kernels, weights, diagonals.leftCols(count_))
                : factor_by_bank(kernels, weights, diagonals.leftCols(count_));
}

bool RowFactors::factor_dense(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals) {
  const Index n = bank_.n_samples(), count = diagonals.cols();
  sum_.setZero(n, n);
  bank_.add_weighted_sum(kernels, weights, sum_);
  roots_ = diagonals.cwiseSqrt().cwiseInverse();
  if (std::ssize(factors_) < count) factors_.resize(count);
  // One core per matrix where there are many; else all cores for each.
  const int threads = bank_.threads();
  const bool many = count >= threads;
  std::atomic<bool> definite = true;
  StopCheck stop(bank_.watch());
  const double cost = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / 3;
  parallel_for(count, many ? threads : 1, cost, [&](Index begin, Index end) {
    for (Index k = begin; k < end && !stop.skip(); ++k) {
      Matrix& A = factors_[k];
      A.resize(n, n);
      const auto root = roots_.col(k);
      for (Index j = 0; j < n; ++j)
        A.col(j).tail(n - j) = root(j) * root.tail(n - j).cwiseProduct(sum_.col(j).tail(n - j));
      A.diagonal().array() += 1;
      if (!blas::cholesky(A, many ? 1 : threads) || !A.diagonal().allFinite()) definite = false;
    }
  });
  stop.finish();
  return definite;
}

bool RowFactors::factor_by_bank(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals) {
  const Matrix none(bank_.n_samples(), 0);
  while (std::ssize(systems_) < diagonals.cols()) systems_.push_back(bank_.make_newton_system());
  for (Index k = 0; k < diagonals.cols(); ++k)
    if (!systems_[k]->factor({kernels, weights, diagonals.col(k), none, 0})) return false;
  return true;
}

template <class Body>
void RowFactors::for_columns(MatrixRef B, double multiplications, const Body& body) const {
  const double cost = multiplications * static_cast<double>(B.rows()) * static_cast<double>(B.rows());
  parallel_for(B.cols(), bank_.threads(), cost,
               [&](Index begin, Index end) { body(B.middleCols(begin, end - begin)); });
}

void RowFactors::solve(Index k, MatrixRef B) const {
  if (!dense_) return systems_[k]->solve(B);
  const auto root = roots_.col(k).array();
  for_columns(B, 2, [&](MatrixRef part) {
    part.array().colwise() *= root;
    blas::cholesky_solve(factors_[k], part);
    part.array().colwise() *= root;
  });
}

void RowFactors::add_inverse(Index k, MatrixRef sum) const {
  // H = L⁻¹/√d is lower triangular: of each block of columns what lies below its diagonal takes N³ multiplications in
  // all, half as many as solving with every column of the identity.
  const Index n = sum.rows(), blocks = (n + kInverseBlock - 1) / kInverseBlock;
  Matrix H = roots_.col(k).asDiagonal();
  const auto for_blocks = [&](const auto& body) {
    const double cost = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(kInverseBlock);
    parallel_for(blocks, bank_.threads(), cost, [&](Index begin, Index end) {
      for (Index b = begin; b < end; ++b) {
        const Index first = b * kInverseBlock;
        body(first, n - first, std::min(kInverseBlock, n - first));
      }
    });
  };
  for_blocks([&](Index first, Index rest, Index width) {
    blas::solve_lower(factors_[k].bottomRightCorner(rest, rest), H.block(first, first, rest, width), false);
  });
  for_blocks([&](Index first, Index rest, Index width) {
    blas::add_transposed_product(1, H.bottomRightCorner(rest, rest), H.block(first, first, rest, width),
                                 sum.block(first, first, rest, width));
  });
}

void RowFactors::solve_half(Index k, MatrixRef B) const {
  for_columns(B, 1, [&](MatrixRef part) {
    part.array().colwise() *= roots_.col(k).array();
    blas::solve_lower(factors_[k], part, false);
  });
}

void RowFactors::solve_other_half(Index k, MatrixRef B) const {
  for_columns(B, 1, [&](MatrixRef part) {
    blas::solve_lower(factors_[k], part, true);
    part.array().colwise() *= roots_.col(k).array();
  });
}

}  // namespace spicymkl
