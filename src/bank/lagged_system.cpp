#include "lagged_system.hpp"

#include <algorithm>

#include "core/blas.hpp"
#include "core/conjugate_gradients.hpp"
#include "core/stoppable_cholesky.hpp"
#include "low_rank_bank.hpp"

namespace spicymkl {

namespace {

constexpr Index kManyToAssemble = 1000;   // below, the matrix is quick to assemble
constexpr double kLaggedAccuracy = 1e-4;  // of a direction: costs one Newton step in four digits
// Of conjugate gradients: N²R operations of a product of matrices in single precision take about as long as N/200 times
// 4NR operations that wait for memory; where the kernels are kept as matrices, their sum and its factorisation as long
// as N/400 times. After half as many the next matrix is assembled.
constexpr Index kSamplesOfStep = 200, kSamplesOfStepIfKept = 400, kLeastSteps = 10, kMostLaggedSteps = 30;

Index most_steps(const KernelBank& bank) {
  const bool kept = MatricesOfFactors::have_room(bank.n_kernels(), bank.n_samples(), bank.work_bytes());
  return std::clamp(bank.n_samples() / (kept ? kSamplesOfStepIfKept : kSamplesOfStep), kLeastSteps, kMostLaggedSteps);
}

}  // namespace

bool LaggedNewtonSystem::suits(const KernelBank& bank) {
  if (bank.factors() == nullptr || bank.sums() == nullptr || bank.n_samples() < kManyToAssemble) return false;
  if (bank.has_room_for(static_cast<double>(bank.n_kernels()))) return false;  // sums of matrices are quick
  for (Index m = 0; m < bank.n_kernels(); ++m)
    if (bank.rank(m) >= bank.n_samples()) return false;
  return true;
}

bool LaggedNewtonSystem::factor(const NewtonTerms& terms) {
  terms_.keep(terms);
  current_ = false;
  // Otherwise it may not be positive definite, which a factorisation tells.
  const bool definite = terms_.diagonal.allFinite() && terms_.diagonal.minCoeff() > 0 && terms_.subtracted.cols() == 0;
  if (definite && (is_diagonal() || !stale_ || assemble(Precision::single))) return true;
  return assemble(Precision::full);
}

void LaggedNewtonSystem::take_over(std::shared_ptr<const Matrix> factor) {
  if (factor == nullptr || factor->rows() != bank_.n_samples()) return;
  factor_ = std::move(factor);
  current_ = stale_ = false;
}

bool LaggedNewtonSystem::assemble(Precision precision) {
  factor_.reset();
  current_ = false;
  stale_ = true;
  const auto matrix = std::make_shared<Matrix>(Matrix::Zero(bank_.n_samples(), bank_.n_samples()));
  matrix->diagonal() = terms_.diagonal;
  if (precision == Precision::single) bank_.sums()->add_rough_sum(terms_.kernels, terms_.weights, *matrix);
  else bank_.add_weighted_sum(terms_.kernels, terms_.weights, *matrix);
  bank_.watch().check();
  blas::symmetric_rank_k(+1, terms_.added, *matrix, bank_.threads());
  blas::symmetric_rank_k(-1, terms_.subtracted, *matrix, bank_.threads());
  if (!stoppable_cholesky(*matrix, bank_.threads(), bank_.watch()) || !matrix->diagonal().allFinite()) return false;
  factor_ = matrix;
  current_ = precision == Precision::full;
  stale_ = false;
  return true;
}

void LaggedNewtonSystem::precondition(Matrix& V) const {
  const auto n = static_cast<double>(V.rows());
  parallel_for(V.cols(), bank_.threads(), n * n,
               [&](Index begin, Index end) { blas::cholesky_solve(*factor_, V.middleCols(begin, end - begin)); });
}

bool LaggedNewtonSystem::iterate(MatrixRef rhs) {
  const auto most = static_cast<int>(most_steps(bank_));
  Matrix X;
  int steps = 0;
  const bool solved = iterate_conjugate_gradients<Matrix>(
      [&](const Matrix& V, Matrix& out) {
        bank_.watch().check();
        terms_.multiply(bank_, V, out);
      },
      [&](Matrix& V) { precondition(V); }, kLaggedAccuracy, most, rhs, X, &steps);
  stale_ = steps > most / 2;
  if (solved) rhs = X;
  return solved;
}

void LaggedNewtonSystem::solve(MatrixRef rhs) {
  if (!current_ && is_diagonal()) {
    rhs = terms_.diagonal.cwiseInverse().asDiagonal() * rhs;
    return;
  }
  if (!current_ && (iterate(rhs) || (assemble(Precision::single) && iterate(rhs)))) return;
  if (!current_ && !assemble(Precision::full)) return;  // rhs stays, the steepest descent
  blas::cholesky_solve(*factor_, rhs);
}

}  // namespace spicymkl
