#include "row_factors.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/blas.hpp"
#include "core/free_memory.hpp"
#include "core/renew.hpp"
#include "iterative_system.hpp"
#include "rank_system.hpp"

namespace spicymkl {

namespace {

constexpr Index kInverseBlock = 64;   // columns of an inverse that are worked out together
constexpr Index kRowsAtOnce = 500;    // up to which matrices are factored at once, however small the ranks
constexpr double kWorthRanks = 0.4;   // of the rows: systems of larger ranks are not quicker than matrices
constexpr double kCopiesOfRanks = 3;  // of the columns, while they are factored

constexpr double kShareOfFree = 0.5;   // of the memory, where the bank knows no limit
constexpr double kOfOneSystem = 1.25;  // matrices that a Newton system of the bank may keep

double part_of_ranks(const KernelBank& bank, KernelSet kernels) {
  const Index rank =
      std::accumulate(kernels.begin(), kernels.end(), Index{0}, [&](Index sum, Index m) { return sum + bank.rank(m); });
  return static_cast<double>(rank) / static_cast<double>(bank.n_samples());
}

/// Keeps no matrix of the size of the rows: a system of the ranks where that pays, else conjugate gradients.
class LeanSystem final : public NewtonSystem {
 public:
  LeanSystem(const KernelBank& bank, const RowFactors& rows) : bank_(bank), rows_(rows), iterative_(bank) {}

  bool factor(const NewtonTerms& terms) override {
    of_ranks_ = rows_.ranks_pay(terms.kernels) && ranks_.factor(bank_, terms);
    return of_ranks_ || iterative_.factor(terms);
  }
  void solve(MatrixRef rhs) override {
    if (of_ranks_) ranks_.solve(rhs);
    else iterative_.solve(rhs);
  }

 private:
  const KernelBank& bank_;
  const RowFactors& rows_;
  RankSystem ranks_;
  IterativeNewtonSystem iterative_;
  bool of_ranks_ = false;
};

}  // namespace

/// A bank without a limit of its own leaves the choice to what is free.
RowFactors::RowFactors(const KernelBank& bank) : bank_(bank), room_(std::numeric_limits<double>::infinity()) {
  if (std::isinf(bank.work_bytes()) && bank.n_samples() > kRowsAtOnce) room_ = kShareOfFree * free_memory();
}

bool RowFactors::has_room_for(double n_matrices) const {
  const auto n = static_cast<double>(bank_.n_samples());
  return bank_.has_room_for(n_matrices) && (std::isinf(room_) || n_matrices * sizeof(double) * n * n <= room_);
}

bool RowFactors::factor(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals, bool sharp) {
  bool same = true;
  for (Index k = 1; k < diagonals.cols() && same; ++k) same = diagonals.col(k) == diagonals.col(0);
  count_ = same ? 1 : diagonals.cols();
  const bool has_room = bank_.sums() != nullptr && has_room_for(static_cast<double>(count_) + 1);
  dense_ = has_room && (sharp || !ranks_pay(kernels));
  return dense_ ? factor_dense(kernels, weights, diagonals.leftCols(count_))
                : factor_by_bank(kernels, weights, diagonals.leftCols(count_));
}

bool RowFactors::ranks_pay(KernelSet kernels) const {
  const double part = part_of_ranks(bank_, kernels);
  return bank_.n_samples() > kRowsAtOnce && part <= kWorthRanks &&
         has_room_for(kCopiesOfRanks * part * static_cast<double>(count_));
}

bool RowFactors::factor_dense(KernelSet kernels, ConstVectorRef weights, const Matrix& diagonals) {
  const Index n = bank_.n_samples(), count = diagonals.cols();
  systems_.clear();
  renew(sum_, n, n);
  sum_.setZero();
  bank_.add_weighted_sum(kernels, weights, sum_);
  renew(roots_, diagonals.rows(), count);
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
      renew(A, n, n);
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
  factors_.clear();
  sum_.resize(0, 0);
  if (std::ssize(systems_) != count_) systems_.clear();
  while (std::ssize(systems_) < count_) systems_.push_back(make_system());
  for (Index k = 0; k < diagonals.cols(); ++k)
    if (!systems_[k]->factor({kernels, weights, diagonals.col(k), none, 0})) return false;
  return true;
}

std::unique_ptr<NewtonSystem> RowFactors::make_system() const {
  const bool each_keeps_one = bank_.sums() != nullptr && has_room_for(kOfOneSystem);
  const bool lean = count_ > 1 && each_keeps_one && !has_room_for(kOfOneSystem * static_cast<double>(count_));
  if (lean) return std::make_unique<LeanSystem>(bank_, *this);
  return bank_.make_newton_system();
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
  // H = L⁻¹/√d is lower triangular, and of HᵀH the lower triangle is wanted: a third of N³ multiplications in all,
  // where solving with every column of the identity takes N³.
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
    Matrix part = H.block(first, first, rest, width);
    blas::multiply_by_transposed_lower(H.bottomRightCorner(rest, rest), part);
    sum.block(first, first, rest, width) += part;
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
