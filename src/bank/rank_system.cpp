#include "rank_system.hpp"

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "core/renew.hpp"
#include "factored_system.hpp"

namespace spicymkl {

namespace {

constexpr double kMoreRoom = 1.5;  // of the room for columns, so that it is seldom made anew

/// Room for `needed` columns, the first `used` of which stay.
void widen(Matrix& matrix, Index rows, Index used, Index needed) {
  if (matrix.rows() == rows && matrix.cols() >= needed) return;
  const auto more = static_cast<Index>(kMoreRoom * static_cast<double>(used));
  Matrix wider(rows, std::max(needed, more));
  if (used > 0) wider.leftCols(used) = matrix.topLeftCorner(rows, used);
  matrix = std::move(wider);
}

}  // namespace

bool RankSystem::may_keep(ConstVectorRef diagonal) const {
  if (diagonal_.size() == diagonal.size() && diagonal_ == diagonal) return true;
  return (diagonal.array() == diagonal(0)).all();
}

void RankSystem::keep_only_for(ConstVectorRef diagonal) {
  if (diagonal_.size() == diagonal.size() && diagonal_ == diagonal) return;
  diagonal_ = diagonal;
  root_ = diagonal.cwiseSqrt();
  kept_.clear();
  width_ = 0;
}

void RankSystem::add(const KernelBank& bank, const std::vector<Index>& kernels) {
  if (kernels.empty()) return;
  const Index first = width_, n = bank.n_samples(), n_kept = std::ssize(kept_);
  for (const Index m : kernels) {
    kept_.push_back({m, width_, bank.rank(m)});
    width_ += kept_.back().width;
  }
  widen(columns_, n, first, width_);
  widen(squares_, n, n_kept, std::ssize(kept_));
  const double cost = static_cast<double>(n * (width_ - first)) / static_cast<double>(kernels.size());
  parallel_for(std::ssize(kernels), threads_, cost, [&](Index begin, Index end) {
    const Vector scale = root_.cwiseInverse(), one = Vector::Ones(1);
    for (Index k = n_kept + begin; k < n_kept + end; ++k) {
      const Block& block = kept_[k];
      auto columns = columns_.middleCols(block.first, block.width);
      bank.factors()->weighted_factor({&block.kernel, 1}, one, columns);
      squares_.col(k).setZero();
      for (Index j = 0; j < block.width; ++j) {
        columns.col(j).array() *= scale.array();
        squares_.col(k) += columns.col(j).cwiseAbs2();
      }
    }
  });
  if (products_.rows() < width_) {
    Matrix wider(columns_.cols(), columns_.cols());
    wider.topLeftCorner(first, first) = products_.topLeftCorner(first, first);
    products_ = std::move(wider);
  }
  blas::inner_products(columns_.leftCols(width_), first, products_, threads_);
}

Index RankSystem::choose_blocks(const KernelBank& bank, const NewtonTerms& terms) {
  std::vector<Index> missing;
  const auto find = [&](Index m) {
    return std::find_if(kept_.begin(), kept_.end(), [&](const Block& block) { return block.kernel == m; });
  };
  Index needed = width_;
  for (const Index m : terms.kernels)
    if (find(m) == kept_.end()) {
      missing.push_back(m);
      needed += bank.rank(m);
    }
  if (needed > bank.n_samples()) {  // others that were in use before have to go
    kept_.clear();
    width_ = 0;
    missing.assign(terms.kernels.begin(), terms.kernels.end());
  }
  add(bank, missing);
  blocks_.clear();
  Index size = 0;
  for (Index k = 0; k < std::ssize(terms.kernels); ++k) {
    blocks_.push_back(*find(terms.kernels[k]));
    blocks_.back().root_weight = std::sqrt(terms.weights(k));
    blocks_.back().place = size;
    size += blocks_.back().width;
  }
  return size + terms.low_rank.cols();
}

double RankSystem::largest_ratio() const {
  Vector ratio = extra_.rowwise().squaredNorm();
  for (const Block& block : blocks_) {
    const auto kept = std::find_if(kept_.begin(), kept_.end(), [&](const Block& b) { return b.first == block.first; });
    ratio += block.root_weight * block.root_weight * squares_.col(kept - kept_.begin());
  }
  return ratio.maxCoeff<Eigen::PropagateNaN>();
}

void RankSystem::assemble(Index size) {
  renew(capacity_, size, size);
  const Index n_extra = extra_.cols(), top = size - n_extra;
  const double cost = static_cast<double>(size * top) / static_cast<double>(std::max<Index>(1, std::ssize(blocks_)));
  parallel_for(std::ssize(blocks_), threads_, cost, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      const Block& across = blocks_[c];
      for (const Block& down : blocks_) {
        if (down.place < across.place) continue;
        const double weight = down.root_weight * across.root_weight;
        auto part = capacity_.block(down.place, across.place, down.width, across.width);
        // Only the lower triangle of what is kept is there.
        if (down.first >= across.first)
          part = weight * products_.block(down.first, across.first, down.width, across.width);
        else part = weight * products_.block(across.first, down.first, across.width, down.width).transpose();
      }
      auto bottom = capacity_.block(top, across.place, n_extra, across.width);
      bottom.setZero();
      blas::add_transposed_product(across.root_weight, extra_, columns_.middleCols(across.first, across.width), bottom);
    }
  });
  if (n_extra > 0) blas::inner_products(extra_, 0, capacity_.bottomRightCorner(n_extra, n_extra), threads_);
  capacity_.diagonal().array() += 1;
}

bool RankSystem::factor(const KernelBank& bank, const NewtonTerms& terms) {
  threads_ = bank.threads();
  keep_only_for(terms.diagonal);
  const Index size = choose_blocks(bank, terms);
  renew(extra_, root_.size(), terms.low_rank.cols());
  extra_ = root_.cwiseInverse().asDiagonal() * terms.low_rank;
  const double ratio = largest_ratio();
  if (!(ratio < kLargestRatio)) return false;
  refine_ = ratio > kSmallRatio;
  assemble(size);
  bank.watch().check();
  return blas::cholesky(capacity_, threads_) && capacity_.diagonal().allFinite();
}

Matrix RankSystem::inner(const Matrix& X) const {
  const Index top = capacity_.rows() - extra_.cols();
  Matrix Y = Matrix::Zero(capacity_.rows(), X.cols());
  const double cost =
      static_cast<double>(X.size() * top) / static_cast<double>(std::max<Index>(1, std::ssize(blocks_)));
  parallel_for(std::ssize(blocks_), threads_, cost, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b)
      blas::add_transposed_product(blocks_[b].root_weight, columns_.middleCols(blocks_[b].first, blocks_[b].width), X,
                                   Y.middleRows(blocks_[b].place, blocks_[b].width));
  });
  blas::add_transposed_product(1, extra_, X, Y.bottomRows(extra_.cols()));
  return Y;
}

Matrix RankSystem::outer(const Matrix& Y) const {
  Matrix X = Matrix::Zero(root_.size(), Y.cols());
  parallel_for(X.rows(), threads_, static_cast<double>(Y.size()), [&](Index begin, Index end) {
    const Index size = end - begin;
    auto rows = X.middleRows(begin, size);
    for (const Block& block : blocks_)
      blas::add_product(block.root_weight, columns_.block(begin, block.first, size, block.width),
                        Y.middleRows(block.place, block.width), rows);
    blas::add_product(1, extra_.middleRows(begin, size), Y.bottomRows(extra_.cols()), rows);
  });
  return X;
}

Matrix RankSystem::once(const Matrix& rhs) const {
  Matrix X = root_.cwiseInverse().asDiagonal() * rhs;
  Matrix Y = inner(X);
  blas::cholesky_solve(capacity_, Y);
  X -= outer(Y);
  return root_.cwiseInverse().asDiagonal() * X;
}

void RankSystem::solve(MatrixRef rhs) const {
  const Matrix X = once(rhs);
  if (!refine_) {
    rhs = X;
    return;
  }
  Matrix residual = rhs - diagonal_.asDiagonal() * X;
  residual -= root_.asDiagonal() * outer(inner(root_.asDiagonal() * X));
  rhs = X + once(residual);
}

}  // namespace spicymkl
