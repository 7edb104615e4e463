#include "streamed_system.hpp"

#include <cmath>

#include "core/blas.hpp"
#include "core/renew.hpp"
#include "core/stoppable_cholesky.hpp"
#include "factored_system.hpp"
#include "feature_bank.hpp"

namespace spicymkl {

namespace {

constexpr Index kHalf = 2;             // a system of more than half the samples is not quicker than one over these
constexpr Index kStreamedRows = 2048;  // whose features are multiplied together

}  // namespace

bool StreamedNewtonSystem::factor(const NewtonTerms& terms) {
  const Index size = bank_.total_width(terms.kernels) + terms.low_rank.cols();
  streamed_ =
      size > 0 && kHalf * size <= bank_.n_samples() && terms.n_added == terms.low_rank.cols() && assemble(terms);
  return streamed_ || other_->factor(terms);
}

bool StreamedNewtonSystem::assemble(const NewtonTerms& terms) {
  kernels_.assign(terms.kernels.begin(), terms.kernels.end());
  diagonal_ = terms.diagonal;
  renew(low_rank_, terms.low_rank.rows(), terms.low_rank.cols());
  low_rank_ = terms.low_rank;
  const Index of_kernels = bank_.total_width(kernels_), size = of_kernels + low_rank_.cols();
  renew(roots_, of_kernels, 1);
  Index place = 0;
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    const Index width = bank_.factor_width(kernels_[k]);
    roots_.segment(place, width).setConstant(std::sqrt(terms.weights(static_cast<Index>(k))));
    place += width;
  }
  renew(capacity_, size, size);
  capacity_.setIdentity();
  Matrix block(size, kStreamedRows);
  double largest = 0;
  for (Index row = 0; row < bank_.n_samples(); row += kStreamedRows) {
    bank_.watch().check();
    const Index count = std::min(kStreamedRows, bank_.n_samples() - row);
    auto part = block.leftCols(count);
    bank_.transposed_features(kernels_, row, part.topRows(of_kernels));
    part.topRows(of_kernels).array().colwise() *= roots_.array();
    part.bottomRows(low_rank_.cols()) = low_rank_.middleRows(row, count).transpose();
    part.array().rowwise() *= diagonal_.segment(row, count).cwiseSqrt().cwiseInverse().transpose().array();
    largest = std::max(largest, part.colwise().squaredNorm().maxCoeff());
    if (!(largest < kLargestRatio)) return false;
    blas::symmetric_rank_k(1, part, capacity_, bank_.threads());
  }
  refine_ = largest > kSmallRatio;
  return stoppable_cholesky(capacity_, bank_.threads(), bank_.watch()) && capacity_.diagonal().allFinite();
}

Matrix StreamedNewtonSystem::sums(const Matrix& V) const {
  Matrix joined(capacity_.rows(), V.cols());
  joined.topRows(roots_.size()) = roots_.asDiagonal() * bank_.feature_sums(kernels_, V);
  joined.bottomRows(low_rank_.cols()).noalias() = low_rank_.transpose() * V;
  return joined;
}

Matrix StreamedNewtonSystem::combine(const Matrix& W) const {
  Matrix out = low_rank_ * W.bottomRows(low_rank_.cols());
  bank_.add_features(kernels_, roots_.asDiagonal() * W.topRows(roots_.size()), out);
  return out;
}

Matrix StreamedNewtonSystem::once(const Matrix& rhs) const {
  const Matrix scaled = diagonal_.cwiseInverse().asDiagonal() * rhs;
  Matrix y = sums(scaled);
  blas::cholesky_solve(capacity_, y);
  return scaled - diagonal_.cwiseInverse().asDiagonal() * combine(y);
}

Matrix StreamedNewtonSystem::multiply(const Matrix& X) const { return diagonal_.asDiagonal() * X + combine(sums(X)); }

void StreamedNewtonSystem::solve(MatrixRef rhs) {
  if (!streamed_) return other_->solve(rhs);
  Matrix x = once(rhs);
  if (refine_) x += once(rhs - multiply(x));
  rhs = x;
}

}  // namespace spicymkl
