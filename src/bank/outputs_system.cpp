#include "outputs_system.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "core/blas.hpp"
#include "core/conjugate_gradients.hpp"
#include "core/renew.hpp"
#include "core/symmetric_product.hpp"

namespace spicymkl {

namespace {

constexpr Index kFewRows = 2000;          // up to which ΣT_k is formed and factored
constexpr double kRowSumAccuracy = 1e-8;  // of the multipliers of row sums
constexpr int kMostRowSumSteps = 200;

/// Room for so many columns, which is kept from step to step: memory that is new is slow to get.
void make_room(Matrix& matrix, Index rows, Index columns) {
  if (matrix.rows() != rows || matrix.cols() < columns) renew(matrix, rows, columns + columns / 2);
}

}  // namespace

bool OutputsSystem::factor(const NewtonTerms& terms) {
  const Index n = rows_.n_samples();
  diagonal_ = Eigen::Map<const Matrix>(terms.diagonal.data(), n, n_outputs_);
  kernels_.assign(terms.kernels.begin(), terms.kernels.end());
  weights_ = terms.weights;
  width_ = terms.low_rank.cols();
  make_room(low_rank_, terms.low_rank.rows(), width_);
  low_rank_.leftCols(width_) = terms.low_rank;
  n_added_ = terms.n_added;
  prepared_ = false;
  return blocks_.factor(kernels_, weights_, diagonal_, width_ > 0);
}

void OutputsSystem::solve(MatrixRef rhs) {
  const DualConstraints none(rows_.n_samples(), n_outputs_);
  Matrix multipliers(0, n_outputs_);
  for (Index p = 0; p < rhs.cols(); ++p) solve_within(none, rhs.middleCols(p, 1), multipliers);
}

void OutputsSystem::solve_within(const DualConstraints& constraints, MatrixRef workspace, MatrixRef multipliers,
                                 Digits) {
  auto rhs = workspace.leftCols(workspace.cols() - constraints.n_columns());
  if (rhs.cols() == 1 && blocks_.dense() && !constraints.rows_sum_to_zero())
    return solve_by_halves(constraints.columns(), rhs.col(0), multipliers);
  prepare(constraints);
  if (width_ > 0) remove_low_rank(constraints, rhs);
  MatrixRef found = multipliers;
  apply(constraints, rhs, &found);
}

void OutputsSystem::remove_low_rank(const DualConstraints& constraints, MatrixRef rhs) const {
  Matrix each(rhs.rows(), width_ + rhs.cols());  // T by output, of [V r]
  each << low_rank(), rhs;
  apply_by_output(constraints, each);
  Matrix products = Matrix::Zero(width_, each.cols());  // VᵀT[V r]
  blas::add_transposed_product(1, low_rank(), each, products, rows_.threads());
  if (constraints.rows_sum_to_zero()) {
    const Matrix sums = over_outputs(each);
    Matrix shift = sums;
    divide_by_sum(constraints, shift);
    products.noalias() -= sums.leftCols(width_).transpose() * shift;
  }
  for (Index j = 0; j < width_; ++j) products(j, j) += j < n_added_ ? 1 : -1;
  const Matrix along = products.leftCols(width_).partialPivLu().solve(products.rightCols(rhs.cols()));
  rhs.noalias() -= low_rank() * along;
}

void OutputsSystem::solve_by_halves(const Matrix& C, VectorRef rhs, MatrixRef multipliers) {
  const Index n = rows_.n_samples(), width = width_;
  make_room(halves_, rhs.size(), width + 1);
  auto W = halves_.leftCols(width + 1);
  Matrix off(C.cols(), n_outputs_ * (width + 1));  // what Π takes off
  W << low_rank(), rhs;
  if (blocks_.count() == 1) {
    halve(0, C, Eigen::Map<Matrix>(W.data(), n, n_outputs_ * W.cols()), off);
  } else {
    Matrix off_output(C.cols(), W.cols());
    for (Index k = 0; k < n_outputs_; ++k) {
      halve(k, C, W.middleRows(k * n, n), off_output);
      for (Index p = 0; p < W.cols(); ++p) off.col(p * n_outputs_ + k) = off_output.col(p);
    }
  }
  auto found = W.col(width);
  multipliers = off.rightCols(n_outputs_);
  if (width > 0) {
    const auto columns = W.leftCols(width);
    Matrix capacity(width, width);
    blas::inner_products(columns, 0, capacity, rows_.threads());
    for (Index j = 0; j < width; ++j) capacity(j, j) += j < n_added_ ? 1 : -1;
    capacity.triangularView<Eigen::StrictlyUpper>() = capacity.transpose();
    const Vector along = capacity.partialPivLu().solve(columns.transpose() * found);
    found.noalias() -= columns * along;
    for (Index p = 0; p < width; ++p) multipliers -= along(p) * off.middleCols(p * n_outputs_, n_outputs_);
  }
  rhs = found;
  Eigen::Map<Matrix> solution(rhs.data(), n, n_outputs_);
  if (blocks_.count() == 1) return blocks_.solve_other_half(0, solution);
  for (Index k = 0; k < n_outputs_; ++k) blocks_.solve_other_half(k, solution.col(k));
}

void OutputsSystem::halve(Index k, const Matrix& C, MatrixRef B, MatrixRef off) const {
  blocks_.solve_half(k, B);
  if (C.cols() == 0) return;
  Matrix F = C;
  blocks_.solve_half(k, F);
  off = (F.transpose() * F).ldlt().solve(F.transpose() * B);
  B.noalias() -= F * off;
}

void OutputsSystem::prepare(const DualConstraints& constraints) {
  const Matrix& C = constraints.columns();
  if (prepared_ && prepared_rows_ == constraints.rows_sum_to_zero() && prepared_columns_.cols() == C.cols() &&
      prepared_columns_ == C)
    return;
  prepared_ = false;
  through_.assign(blocks_.count(), C);
  capacity_.assign(blocks_.count(), Matrix());
  for (Index k = 0; k < blocks_.count() && C.cols() > 0; ++k) {
    blocks_.solve(k, through_[k]);
    const Matrix moments = C.transpose() * through_[k];
    capacity_[k] = (0.5 * (moments + moments.transpose())).inverse();
  }
  if (constraints.rows_sum_to_zero()) prepare_row_sums(constraints);
  prepared_rows_ = constraints.rows_sum_to_zero();
  prepared_columns_ = C;
  prepared_ = true;
}

void OutputsSystem::prepare_row_sums(const DualConstraints& constraints) {
  const Index n = rows_.n_samples();
  row_weights_ = diagonal_.cwiseInverse().rowwise().sum().cwiseInverse();
  row_sums_.resize(0, 0);
  if (!blocks_.dense() || n > kFewRows) return;
  const Matrix& C = constraints.columns();
  Matrix sum = Matrix::Zero(n, n);  // its lower triangle
  for (Index k = 0; k < blocks_.count(); ++k) {
    rows_.watch().check();
    blocks_.add_inverse(k, sum);
    if (C.cols() > 0) sum.noalias() -= through_[k] * (capacity_[k] * through_[k].transpose());
  }
  if (blocks_.count() == 1) sum *= static_cast<double>(n_outputs_);
  // T_kC = 0: there, and there alone, the sum is singular.
  if (C.cols() > 0) sum += sum.diagonal().mean() * (C * (C.transpose() * C).inverse() * C.transpose());
  if (blas::cholesky(sum, rows_.threads()) && sum.diagonal().allFinite()) row_sums_ = std::move(sum);
}

void OutputsSystem::apply_by_output(const DualConstraints& constraints, MatrixRef R) const {
  const Index n = rows_.n_samples();
  if (blocks_.count() == 1) {  // all outputs of a vector at once
    for (Index p = 0; p < R.cols(); ++p)
      apply_to_block(constraints, 0, Eigen::Map<Matrix>(R.col(p).data(), n, n_outputs_));
    return;
  }
  Matrix block;
  for (Index k = 0; k < n_outputs_; ++k) {
    block = R.middleRows(k * n, n);
    apply_to_block(constraints, k, block);
    R.middleRows(k * n, n) = block;
  }
}

void OutputsSystem::apply_to_block(const DualConstraints& constraints, Index k, MatrixRef B) const {
  const Matrix& C = constraints.columns();
  blocks_.solve(k, B);
  if (C.cols() > 0) B.noalias() -= through_[k] * (capacity_[k] * (C.transpose() * B)).eval();
}

Matrix OutputsSystem::over_outputs(const Matrix& R) const {
  const Index n = rows_.n_samples();
  Matrix sum = R.topRows(n);
  for (Index k = 1; k < n_outputs_; ++k) sum += R.middleRows(k * n, n);
  return sum;
}

Matrix OutputsSystem::sum_over_outputs(const DualConstraints& constraints, const Matrix& X) const {
  Matrix sum = Matrix::Zero(X.rows(), X.cols()), block;
  for (Index k = 0; k < blocks_.count(); ++k) {
    block = X;
    apply_to_block(constraints, k, block);
    sum += block;
  }
  if (blocks_.count() == 1) sum *= static_cast<double>(n_outputs_);
  return sum;
}

void OutputsSystem::divide_by_sum(const DualConstraints& constraints, Matrix& X) const {
  if (row_sums_.size() > 0) return blas::cholesky_solve(row_sums_, X);
  // ΣT_k is about Σ_k 1/d_ik where the kernels are small beside d, and KS⁻¹ where they are large.
  std::vector<Matrix> parts;
  const auto precondition = [&](Matrix& V) {
    rows_.watch().check();
    Matrix image(V.rows(), V.cols());
    if (blocks_.dense()) symmetric_product(blocks_.sum(), V, image, parts, rows_.threads());
    else rows_.weighted_product(kernels_, weights_, V, image);
    V = (row_weights_.asDiagonal() * V + image / static_cast<double>(n_outputs_)).eval();
  };
  const auto multiply = [&](const Matrix& V, Matrix& out) { out = sum_over_outputs(constraints, V); };
  Matrix found;
  iterate_conjugate_gradients<Matrix>(multiply, precondition, kRowSumAccuracy, kMostRowSumSteps, X, found);
  X = std::move(found);
}

void OutputsSystem::apply(const DualConstraints& constraints, MatrixRef R, MatrixRef* multipliers) const {
  const Index n = rows_.n_samples();
  const Matrix& C = constraints.columns();
  if (constraints.rows_sum_to_zero()) {
    Matrix each = R;
    apply_by_output(constraints, each);
    Matrix shift = over_outputs(each);  // μ
    divide_by_sum(constraints, shift);
    for (Index k = 0; k < n_outputs_; ++k) R.middleRows(k * n, n) -= shift;
  }
  if (multipliers != nullptr && C.cols() > 0)  // δ_k = (CᵀE_k)⁻¹E_kᵀ(r_k − μ)
    for (Index k = 0; k < n_outputs_; ++k) {
      const Index block = blocks_.count() == 1 ? 0 : k;
      multipliers->col(k) = capacity_[block] * (through_[block].transpose() * R.col(0).segment(k * n, n));
    }
  apply_by_output(constraints, R);
  if (!constraints.rows_sum_to_zero()) return;
  // What rounding leaves of the sums would grow from step to step.
  for (Index p = 0; p < R.cols(); ++p) {
    Vector whole = R.col(p);
    constraints.remove_multipliers(whole);
    R.col(p) = whole;
  }
}

}  // namespace spicymkl
