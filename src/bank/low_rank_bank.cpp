#include "low_rank_bank.hpp"

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "low_rank_working_set.hpp"

namespace spicymkl {

Matrix pivoted_cholesky(const FittedKernel& kernel, const Samples& training, double tolerance, Index max_rank,
                        const Watch& watch) {
  const Index n = training.n_rows();
  const Points points = kernel.points(training);
  const Vector terms = kernel.training_terms(training);
  const ConstVectorRef none = terms;
  Vector residual = kernel.training_diagonal(training);
  const double enough = tolerance * residual.sum();
  Matrix Z(n, std::min(max_rank, n));
  Matrix column(n, 1);
  for (Index rank = 0;; ++rank) {
    if (residual.cwiseMax(0.0).sum() <= enough) return Z.leftCols(rank);
    if (rank == Z.cols()) return {};
    watch.check();
    Index pivot = 0;
    const double largest = residual.maxCoeff(&pivot);
    base_block(points, 0, points, pivot, column);
    kernel.finish(column, none, terms.size() == 0 ? none : ConstVectorRef(terms.segment(pivot, 1)));
    column(pivot, 0) += kernel.scaled_jitter(terms.size() == 0 ? 1 : terms(pivot));
    auto next = Z.col(rank);
    next = column.col(0);
    next.noalias() -= Z.leftCols(rank) * Z.row(pivot).head(rank).transpose();
    next /= std::sqrt(largest);
    residual -= next.cwiseAbs2();
    residual(pivot) = 0;
  }
}

double missing_trace(const Matrix& factor, double tolerance) {
  constexpr double kRounding = 1e-14;  // of the residual that pivoted_cholesky keeps, relative to the trace
  return (tolerance / (1 - tolerance) + kRounding) * factor.squaredNorm();
}

LowRankBank::LowRankBank(std::vector<Matrix> factors, Vector missing, Index n_samples, std::vector<std::string> names,
                         int threads, Watch watch, double work_bytes)
    : KernelBank({n_samples, std::ssize(factors), threads, std::move(watch), work_bytes}),
      factors_(std::move(factors)),
      missing_(std::move(missing)),
      traces_(missing_.size()),
      names_(std::move(names)) {
  for (Index m = 0; m < traces_.size(); ++m) traces_(m) = factor(m).squaredNorm();
}

double LowRankBank::mean_size() const {
  double total = 0;
  for (const Matrix& Z : factors_) total += static_cast<double>(Z.size());
  return total / std::max(1.0, static_cast<double>(factors_.size()));
}

void LowRankBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  const Index width = V.cols();
  for_each_kernel(set, 2 * mean_size() * static_cast<double>(width), [&](Index k, Matrix&) {
    const Matrix& Z = factor(set[k]);
    out.middleCols(k * width, width).noalias() = Z * (Z.transpose() * V);
  });
}

void LowRankBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < std::ssize(set); ++k) out += weights(k) * factor(set[k]).rowwise().squaredNorm();
}

void LowRankBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  for_each_kernel(set, mean_size() * static_cast<double>(V.cols()), [&](Index k, Matrix& in_factor) {
    in_factor.noalias() = factor(set[k]).transpose() * V;
    for (Index p = 0; p < V.cols(); ++p) out(k, p) = in_factor.col(p).squaredNorm();
  });
}

void LowRankBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  out.setZero();
  for (Index k = 0; k < std::ssize(set); ++k) {
    watch().check();
    const Matrix& Z = factor(set[k]);
    out.noalias() += weights(k) * (Z * (Z.transpose() * V));
  }
}

KernelSubsets LowRankBank::subsets() const {
  const auto matrices = std::make_shared<LowRankWorkingSet::Matrices>();
  return {n_kernels(), [this, matrices](std::vector<Index> kernels) {
            return std::make_shared<LowRankWorkingSet>(*this, std::move(kernels), matrices);
          }};
}

std::shared_ptr<const KernelBank> LowRankBank::on_samples(const std::vector<Index>& rows) const {
  std::vector<Matrix> factors;
  for (const Matrix& Z : factors_) factors.push_back(Z(rows, Eigen::all));
  // The diagonal of what is missing has no negative entries: some of them add up to no more than all.
  return std::make_shared<LowRankBank>(std::move(factors), missing_, std::ssize(rows), names_, threads(), watch(),
                                       work_bytes());
}

std::vector<BankUse> LowRankBank::use() const {
  return {{"low rank", n_kernels(), sizeof(double) * mean_size() * static_cast<double>(n_kernels())}};
}

void LowRankBank::column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < std::ssize(set); ++k) {
    const Matrix& Z = factor(set[k]);
    out.noalias() += Z * (weights(k) * Z.row(i).transpose());
  }
}

void LowRankBank::weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const {
  Index first = 0;
  for (Index k = 0; k < std::ssize(set); ++k) {
    const Matrix& Z = factor(set[k]);
    columns.middleCols(first, Z.cols()) = std::sqrt(weights(k)) * Z;
    first += Z.cols();
  }
}

void LowRankBank::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  // All factors side by side: one large symmetric product instead of many small ones.
  Index total = 0;
  for (const Index kernel : set) total += factor(kernel).cols();
  Matrix joined(n_samples(), total);
  weighted_factor(set, weights, joined);
  watch().check();
  blas::symmetric_rank_k(1, joined, A, threads());
}

}  // namespace spicymkl
