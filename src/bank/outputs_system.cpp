#include "outputs_system.hpp"

#include <Eigen/LU>

#include "core/blas.hpp"
#include "core/conjugate_gradients.hpp"

namespace spicymkl {

namespace {

constexpr Index kFewRows = 2000;          // up to which ΣT_k is formed and factored
constexpr double kRowSumAccuracy = 1e-8;  // of the multipliers of row sums
constexpr int kMostRowSumSteps = 200;

}  // namespace

bool OutputsSystem::factor(const NewtonTerms& terms) {
  const Index n = rows_.n_samples();
  diagonal_ = Eigen::Map<const Matrix>(terms.diagonal.data(), n, n_outputs_);
  kernels_.assign(terms.kernels.begin(), terms.kernels.end());
  weights_ = terms.weights;
  low_rank_ = terms.low_rank;
  n_added_ = terms.n_added;
  return blocks_.factor(kernels_, weights_, diagonal_);
}

void OutputsSystem::solve(MatrixRef rhs) {
  const DualConstraints none(rows_.n_samples(), n_outputs_);
  Matrix multipliers(0, n_outputs_);
  for (Index p = 0; p < rhs.cols(); ++p) solve_within(none, rhs.middleCols(p, 1), multipliers);
}

void OutputsSystem::solve_within(const DualConstraints& constraints, MatrixRef workspace, MatrixRef multipliers) {
  prepare(constraints);
  auto rhs = workspace.leftCols(1);
  if (low_rank_.cols() > 0) {
    Matrix image = low_rank_;
    apply(constraints, image);  // TV
    Matrix capacity = low_rank_.transpose() * image;
    for (Index j = 0; j < capacity.cols(); ++j) capacity(j, j) += j < n_added_ ? 1 : -1;
    const Vector along = capacity.partialPivLu().solve(image.transpose() * rhs);
    rhs.noalias() -= low_rank_ * along;
  }
  MatrixRef found = multipliers;
  apply(constraints, rhs, &found);
}

void OutputsSystem::prepare(const DualConstraints& constraints) {
  const Matrix& C = constraints.columns();
  through_.assign(n_outputs_, C);
  capacity_.assign(n_outputs_, Matrix());
  for (Index k = 0; k < n_outputs_ && C.cols() > 0; ++k) {
    blocks_.solve(k, through_[k]);
    const Matrix moments = C.transpose() * through_[k];
    capacity_[k] = (0.5 * (moments + moments.transpose())).inverse();
  }
  if (constraints.rows_sum_to_zero()) prepare_row_sums(constraints);
}

void OutputsSystem::prepare_row_sums(const DualConstraints& constraints) {
  const Index n = rows_.n_samples();
  row_weights_ = diagonal_.cwiseInverse().rowwise().sum().cwiseInverse();
  row_sums_.resize(0, 0);
  if (!blocks_.dense() || n > kFewRows) return;
  Matrix sum = sum_over_outputs(constraints, Matrix::Identity(n, n));
  const Matrix& C = constraints.columns();
  // T_kC = 0: there, and there alone, the sum is singular.
  if (C.cols() > 0) sum += sum.diagonal().mean() * (C * (C.transpose() * C).inverse() * C.transpose());
  if (blas::cholesky(sum, rows_.threads()) && sum.diagonal().allFinite()) row_sums_ = std::move(sum);
}

void OutputsSystem::apply_by_output(const DualConstraints& constraints, MatrixRef R) const {
  const Index n = rows_.n_samples();
  const Matrix& C = constraints.columns();
  Matrix block;
  for (Index k = 0; k < n_outputs_; ++k) {
    block = R.middleRows(k * n, n);
    blocks_.solve(k, block);
    if (C.cols() > 0) block -= through_[k] * (capacity_[k] * (C.transpose() * block));
    R.middleRows(k * n, n) = block;
  }
}

Matrix OutputsSystem::sum_over_outputs(const DualConstraints& constraints, const Matrix& X) const {
  const Matrix& C = constraints.columns();
  Matrix sum = Matrix::Zero(X.rows(), X.cols()), block;
  for (Index k = 0; k < n_outputs_; ++k) {
    block = X;
    blocks_.solve(k, block);
    if (C.cols() > 0) block -= through_[k] * (capacity_[k] * (C.transpose() * block));
    sum += block;
  }
  return sum;
}

void OutputsSystem::divide_by_sum(const DualConstraints& constraints, Matrix& X) const {
  if (row_sums_.size() > 0) return blas::cholesky_solve(row_sums_, X);
  // ΣT_k is about Σ_k 1/d_ik where the kernels are small beside d, and KS⁻¹ where they are large.
  const auto precondition = [&](Matrix& V) {
    Matrix image(V.rows(), V.cols());
    rows_.weighted_product(kernels_, weights_, V, image);
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
    Matrix shift = Matrix::Zero(n, R.cols());  // μ
    for (Index k = 0; k < n_outputs_; ++k) shift += each.middleRows(k * n, n);
    divide_by_sum(constraints, shift);
    for (Index k = 0; k < n_outputs_; ++k) R.middleRows(k * n, n) -= shift;
  }
  if (multipliers != nullptr && C.cols() > 0)  // δ_k = (CᵀE_k)⁻¹E_kᵀ(r_k − μ)
    for (Index k = 0; k < n_outputs_; ++k)
      multipliers->col(k) = capacity_[k] * (through_[k].transpose() * R.col(0).segment(k * n, n));
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
