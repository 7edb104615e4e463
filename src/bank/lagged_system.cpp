#include "lagged_system.hpp"

#include <algorithm>

#include "core/blas.hpp"
#include "core/conjugate_gradients.hpp"
#include "core/renew.hpp"
#include "core/stoppable_cholesky.hpp"
#include "core/symmetric_product.hpp"
#include "dense_sum.hpp"
#include "matrices_of_factors.hpp"

namespace spicymkl {

namespace {

constexpr Index kManyToAssemble = 1000;   // below, the matrix is quick to assemble
constexpr double kLaggedAccuracy = 1e-4;  // of a direction: costs one Newton step in four digits
// Of conjugate gradients. N²R operations of a product of matrices in single precision take about as long as N/200 times
// 4NR operations that wait for memory; a factorisation as long as N/200 products with the sum. After half as many the
// next matrix is factored.
constexpr Index kSamplesOfStep = 200, kLeastSteps = 10, kMostLaggedSteps = 40;
constexpr int kMostRefinements = 3;

}  // namespace

bool LaggedNewtonSystem::suits(const KernelBank& bank) {
  if (bank.factors() == nullptr || bank.sums() == nullptr || bank.n_samples() < kManyToAssemble) return false;
  // As matrices in double precision, sums of kernels are quick.
  if (MatricesOfFactors::have_room(bank.n_kernels(), bank.n_samples(), bank.work_bytes())) return false;
  for (Index m = 0; m < bank.n_kernels(); ++m)
    if (bank.rank(m) >= bank.n_samples()) return false;
  return true;
}

bool LaggedNewtonSystem::factor(const NewtonTerms& terms) {
  terms_.keep(terms);
  summed_ = false;
  exact_.resize(0, 0);
  gave_up_ = false;
  // Otherwise it may not be positive definite, which a factorisation tells.
  const bool definite = terms_.diagonal.allFinite() && terms_.diagonal.minCoeff() > 0 && terms_.subtracted.cols() == 0;
  if (!definite) return factor_exactly();
  if (is_diagonal()) return true;
  return (preconditioner_ && !stale_) || factor_roughly() || factor_exactly();
}

void LaggedNewtonSystem::take_over(std::shared_ptr<const RoughCholesky> factor) {
  if (factor == nullptr || factor->rows() != bank_.n_samples()) return;
  preconditioner_ = std::move(factor);
  stale_ = false;
}

void LaggedNewtonSystem::make_sum() {
  if (summed_) return;
  renew(sum_, bank_.n_samples(), bank_.n_samples());
  clear_lower(sum_, bank_.threads());
  bank_.sums()->add_rough_sum(terms_.kernels, terms_.weights, sum_);
  summed_ = true;
  bank_.watch().check();
}

void LaggedNewtonSystem::drop_sum() {
  sum_.resize(0, 0);
  summed_ = false;
}

bool LaggedNewtonSystem::factor_roughly() {
  make_sum();
  preconditioner_.reset();  // before the next: there may be no room for both
  const auto next = std::make_shared<RoughCholesky>();
  const bool done = next->factor(sum_, terms_.diagonal, terms_.added, bank_.threads(), bank_.watch());
  if (!keeps_sum()) drop_sum();
  stale_ = !done;
  if (done) preconditioner_ = next;
  return done;
}

bool LaggedNewtonSystem::factor_exactly() {
  drop_sum();
  renew(exact_, bank_.n_samples(), bank_.n_samples());
  clear_lower(exact_, bank_.threads());
  exact_.diagonal() = terms_.diagonal;
  bank_.add_weighted_sum(terms_.kernels, terms_.weights, exact_);
  bank_.watch().check();
  blas::symmetric_rank_k(+1, terms_.added, exact_, bank_.threads());
  blas::symmetric_rank_k(-1, terms_.subtracted, exact_, bank_.threads());
  if (stoppable_cholesky(exact_, bank_.threads(), bank_.watch()) && exact_.diagonal().allFinite()) return true;
  exact_.resize(0, 0);
  return false;
}

Index LaggedNewtonSystem::most_steps() const {
  return std::clamp(bank_.n_samples() / kSamplesOfStep, kLeastSteps, kMostLaggedSteps);
}

void LaggedNewtonSystem::multiply_roughly(const Matrix& V, Matrix& out) {
  bank_.watch().check();
  if (summed_) symmetric_product(sum_, V, out, workspace_, bank_.threads());
  else bank_.factors()->rough_product(terms_.kernels, terms_.weights, V, out);
  terms_.add_samples_part(V, out);
}

bool LaggedNewtonSystem::iterate(const Matrix& rhs, Matrix& solution) {
  const auto most = static_cast<int>(most_steps());
  int steps = 0;
  const bool solved = iterate_conjugate_gradients<Matrix>(
      [&](const Matrix& V, Matrix& out) { multiply_roughly(V, out); },
      [&](Matrix& V) { preconditioner_->solve(V, bank_.threads()); }, kLaggedAccuracy, most, rhs, solution, &steps);
  stale_ = stale_ || steps > most / 2;
  return solved;
}

bool LaggedNewtonSystem::refine(MatrixRef rhs) {
  if (keeps_sum()) make_sum();
  Matrix residual = rhs, part, scaled, total = Matrix::Zero(rhs.rows(), rhs.cols());
  const auto sizes = [&](const Matrix& of) {  // in the norm of the preconditioner
    scaled = of;
    preconditioner_->solve(scaled, bank_.threads());
    return Eigen::ArrayXd((of.array() * scaled.array()).colwise().sum());
  };
  const Eigen::ArrayXd goal = kLaggedAccuracy * kLaggedAccuracy * sizes(rhs);
  for (int round = 0; round < kMostRefinements; ++round) {
    if (!iterate(residual, part)) return false;
    total += part;
    terms_.multiply(bank_, total, residual);
    residual = rhs - residual;
    if ((sizes(residual) <= goal).all()) {
      rhs = total;
      return true;
    }
  }
  return false;
}

void LaggedNewtonSystem::solve(MatrixRef rhs) {
  if (exact_.size() == 0 && is_diagonal()) {
    rhs = terms_.diagonal.cwiseInverse().asDiagonal() * rhs;
    return;
  }
  if (exact_.size() == 0 && !gave_up_ && (refine(rhs) || (factor_roughly() && refine(rhs)))) return;
  if (exact_.size() == 0 && (gave_up_ || !factor_exactly())) {
    gave_up_ = true;
    return;  // rhs stays, the steepest descent
  }
  blas::cholesky_solve(exact_, rhs);
}

}  // namespace spicymkl
