#include "iterative_system.hpp"

#include <algorithm>
#include <cmath>

#include "core/conjugate_gradients.hpp"

namespace spicymkl {

namespace {

constexpr Index kMostColumns = 300;   // of the preconditioner
constexpr double kCopies = 4;         // of it, while it is made
constexpr double kNegligible = 1e-2;  // what may be left of an entry of the diagonal, beside its own
constexpr double kAccuracy = 1e-6;    // of a direction
constexpr int kMaxSteps = 500;        // then the direction is good enough to go down

}  // namespace

Matrix IterativeNewtonSystem::leading_columns(Vector& remaining) const {
  const Index n = bank_.n_samples();
  const double room = bank_.work_bytes() / (kCopies * sizeof(double) * static_cast<double>(n));
  const auto most = static_cast<Index>(std::clamp(room, 1.0, static_cast<double>(std::min(kMostColumns, n))));
  Matrix columns(n, most);
  Vector column(n);
  for (Index rank = 0; rank < most; ++rank) {
    Index pivot = 0;
    if (!(remaining.cwiseQuotient(diagonal_).maxCoeff(&pivot) > kNegligible)) return columns.leftCols(rank);
    bank_.weighted_column(kernels_, weights_, pivot, column);
    column.noalias() -= columns.leftCols(rank) * columns.row(pivot).head(rank).transpose();
    if (!(column(pivot) > 0)) return columns.leftCols(rank);
    columns.col(rank) = column / std::sqrt(column(pivot));
    remaining = (remaining - columns.col(rank).cwiseAbs2()).cwiseMax(0.0);
    remaining(pivot) = 0;
  }
  return columns;
}

bool IterativeNewtonSystem::factor(const NewtonTerms& terms) {
  kernels_.assign(terms.kernels.begin(), terms.kernels.end());
  weights_ = terms.weights;
  diagonal_ = terms.diagonal;
  added_ = terms.low_rank.leftCols(terms.n_added);
  subtracted_ = terms.low_rank.rightCols(terms.low_rank.cols() - terms.n_added);
  Vector remaining(bank_.n_samples());
  bank_.weighted_diagonal(kernels_, weights_, remaining);
  whole_diagonal_ = diagonal_ + remaining + added_.rowwise().squaredNorm();
  const Matrix leading = leading_columns(remaining);
  Matrix columns(leading.rows(), leading.cols() + added_.cols());
  columns << leading, added_;
  has_leading_ = columns.cols() > 0 && leading_.factor(diagonal_ + remaining, std::move(columns), bank_.threads());
  return whole_diagonal_.allFinite() && whole_diagonal_.minCoeff() > 0;
}

void IterativeNewtonSystem::multiply(const Vector& v, Vector& out) const {
  bank_.weighted_product(kernels_, weights_, v, out);
  out += diagonal_.cwiseProduct(v);
  out.noalias() += added_ * (added_.transpose() * v);
  out.noalias() -= subtracted_ * (subtracted_.transpose() * v);
}

void IterativeNewtonSystem::precondition(Vector& v) const {
  if (has_leading_) leading_.solve(v);
  else v = v.cwiseQuotient(whole_diagonal_);
}

void IterativeNewtonSystem::solve(MatrixRef rhs) {
  for (Index k = 0; k < rhs.cols(); ++k)
    descend_by_conjugate_gradients([&](const Vector& v, Vector& out) { multiply(v, out); },
                                   [&](Vector& v) { precondition(v); }, kAccuracy, kMaxSteps, rhs.col(k));
}

}  // namespace spicymkl
