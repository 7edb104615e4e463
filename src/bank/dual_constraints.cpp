#include "spicymkl/bank/dual_constraints.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <limits>

namespace spicymkl {

namespace {

using Outputs = Eigen::Map<const Matrix>;

/// x with Ax = b for a positive semi-definite A and a b in its range: constraints may depend on each other, as rows and
/// columns that both sum to zero do. False where b, up to a small part of `size`, is not in the range.
bool solve_semidefinite(const Matrix& A, const Vector& b, double size, Vector& x) {
  constexpr double kDependent = 1e-12, kConsistent = 1e-6;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  const Vector& values = eigen.eigenvalues();
  const double least = kDependent * values.cwiseAbs().maxCoeff();
  Vector coordinates = eigen.eigenvectors().transpose() * b;
  for (Index k = 0; k < values.size(); ++k) coordinates(k) = values(k) > least ? coordinates(k) / values(k) : 0;
  x = eigen.eigenvectors() * coordinates;
  return x.allFinite() && (A * x - b).norm() <= kConsistent * size;
}

}  // namespace

bool DualConstraints::intercept_alone() const {
  return n_columns() == 1 && !rows_sum_to_zero_ && (columns_.array() == 1).all();
}

void DualConstraints::add_predictions(ConstMatrixRef B, VectorRef z) const {
  if (n_columns() == 0) return;
  for (Index k = 0; k < n_outputs_; ++k) z.segment(k * n_samples(), n_samples()).noalias() += columns_ * B.col(k);
}

Matrix DualConstraints::moments(ConstVectorRef rho) const {
  return columns_.transpose() * Outputs(rho.data(), n_samples(), n_outputs_);
}

double DualConstraints::violation(ConstVectorRef rho) const {
  constexpr double kSmallest = std::numeric_limits<double>::min();
  const Outputs outputs(rho.data(), n_samples(), n_outputs_);
  double worst = 0;
  if (n_columns() > 0) {
    const Matrix sums = moments(rho).cwiseAbs();
    const Matrix sizes = columns_.cwiseAbs().transpose() * outputs.cwiseAbs();
    worst = (sums.array() / (sizes.array() + kSmallest)).maxCoeff();
  }
  if (rows_sum_to_zero_)
    worst =
        std::max(worst, outputs.rowwise().sum().cwiseAbs().maxCoeff() / (outputs.cwiseAbs().maxCoeff() + kSmallest));
  const double largest = outputs.cwiseAbs().maxCoeff() + kSmallest;
  for (const Index entry : zeros_) worst = std::max(worst, std::abs(rho(entry)) / largest);
  return worst;
}

bool DualConstraints::restore(ConstVectorRef given, VectorRef v) const {
  Vector weights = given;
  for (const Index entry : zeros_) weights(entry) = v(entry) = 0;
  return rows_sum_to_zero_ ? restore_together(weights, v) : restore_by_output(weights, v);
}

bool DualConstraints::restore_by_output(const Vector& weights, VectorRef v) const {
  const Index n = n_samples();
  if (n_columns() == 0) return true;
  const Matrix sums = moments(v);
  Matrix lambda(n_columns(), n_outputs_);
  Vector x;
  for (Index k = 0; k < n_outputs_; ++k) {
    const Matrix A = columns_.transpose() * weights.segment(k * n, n).asDiagonal() * columns_;
    if (!solve_semidefinite(A, sums.col(k), sums.norm(), x)) return false;
    lambda.col(k) = x;
  }
  for (Index k = 0; k < n_outputs_; ++k)
    v.segment(k * n, n) -= weights.segment(k * n, n).cwiseProduct(columns_ * lambda.col(k));
  return true;
}

bool DualConstraints::restore_together(const Vector& weights, VectorRef v) const {
  const Index n = n_samples(), c = n_columns();
  const Outputs W(weights.data(), n, n_outputs_), V(v.data(), n, n_outputs_);
  // Row by row the multipliers μ of Σ_k ρ_ik = 0 are eliminated first: μ_i = (t_i − Σ_k W_ik(Cλ_k)_i)/w_i.
  const Vector total = W.rowwise().sum();
  const Vector inverse = (total.array() > 0).select(total.cwiseInverse(), 0), sums = V.rowwise().sum();
  if (((total.array() <= 0) && (sums.array() != 0)).any()) return false;
  Matrix lambda = Matrix::Zero(c, n_outputs_);
  if (c > 0) {
    Matrix A = Matrix::Zero(c * n_outputs_, c * n_outputs_);
    Vector b(c * n_outputs_), x;
    for (Index k = 0; k < n_outputs_; ++k) {
      A.block(k * c, k * c, c, c) = columns_.transpose() * W.col(k).asDiagonal() * columns_;
      const Vector share = W.col(k).cwiseProduct(inverse);
      b.segment(k * c, c) = columns_.transpose() * (V.col(k) - share.cwiseProduct(sums));
      for (Index l = 0; l <= k; ++l) {
        const Matrix coupled = columns_.transpose() * share.cwiseProduct(W.col(l)).asDiagonal() * columns_;
        A.block(k * c, l * c, c, c) -= coupled;
        if (l < k) A.block(l * c, k * c, c, c) -= coupled.transpose();
      }
    }
    if (!solve_semidefinite(A, b, b.norm(), x)) return false;
    lambda = Eigen::Map<const Matrix>(x.data(), c, n_outputs_);
  }
  const Matrix fitted = columns_ * lambda;
  const Vector shift = inverse.cwiseProduct(sums - W.cwiseProduct(fitted).rowwise().sum());  // μ
  for (Index k = 0; k < n_outputs_; ++k)
    v.segment(k * n, n) -= weights.segment(k * n, n).cwiseProduct(fitted.col(k) + shift);
  return true;
}

void DualConstraints::remove_multipliers(VectorRef gradient) const {
  for (const Index entry : zeros_) gradient(entry) = 0;
  if (!rows_sum_to_zero_) return;
  Eigen::Map<Matrix> outputs(gradient.data(), n_samples(), n_outputs_);
  const Vector means = outputs.rowwise().mean();
  outputs.colwise() -= means;
}

}  // namespace spicymkl
