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
    if (!(remaining.cwiseQuotient(terms_.diagonal).maxCoeff(&pivot) > kNegligible)) return columns.leftCols(rank);
    bank_.weighted_column(terms_.kernels, terms_.weights, pivot, column);
    column.noalias() -= columns.leftCols(rank) * columns.row(pivot).head(rank).transpose();
    if (!(column(pivot) > 0)) return columns.leftCols(rank);
    columns.col(rank) = column / std::sqrt(column(pivot));
    remaining = (remaining - columns.col(rank).cwiseAbs2()).cwiseMax(0.0);
    remaining(pivot) = 0;
  }
  return columns;
}

bool IterativeNewtonSystem::factor(const NewtonTerms& terms) {
  terms_.keep(terms);
  Vector remaining(bank_.n_samples());
  bank_.weighted_diagonal(terms_.kernels, terms_.weights, remaining);
  whole_diagonal_ = terms_.diagonal + remaining + terms_.added.rowwise().squaredNorm();
  const Matrix leading = leading_columns(remaining);
  Matrix columns(leading.rows(), leading.cols() + terms_.added.cols());
  columns << leading, terms_.added;
  has_leading_ =
      columns.cols() > 0 && leading_.factor(terms_.diagonal + remaining, std::move(columns), bank_.threads());
  return whole_diagonal_.allFinite() && whole_diagonal_.minCoeff() > 0;
}

void IterativeNewtonSystem::precondition(Vector& v) const {
  if (has_leading_) leading_.solve(v);
  else v = v.cwiseQuotient(whole_diagonal_);
}

void IterativeNewtonSystem::solve(MatrixRef rhs) {
  for (Index k = 0; k < rhs.cols(); ++k)
    descend_by_conjugate_gradients([&](const Vector& v, Vector& out) { terms_.multiply(bank_, v, out); },
                                   [&](Vector& v) { precondition(v); }, kAccuracy, kMaxSteps, rhs.col(k));
}

}  // namespace spicymkl
