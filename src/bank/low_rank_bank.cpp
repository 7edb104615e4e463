#include "low_rank_bank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/blas.hpp"
#include "low_rank_working_set.hpp"
#include "spicymkl/core/parallel.hpp"

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
    : KernelBank(std::move(watch), work_bytes),
      factors_(std::move(factors)),
      missing_(std::move(missing)),
      traces_(missing_.size()),
      n_(n_samples),
      names_(std::move(names)),
      threads_(resolve_threads(threads)) {
  for (Index m = 0; m < traces_.size(); ++m) traces_(m) = factor(m).squaredNorm();
}

double LowRankBank::mean_rank() const {
  const double total = std::accumulate(factors_.begin(), factors_.end(), 0.0,
                                       [](double sum, const Matrix& Z) { return sum + static_cast<double>(Z.cols()); });
  return total / std::max(1.0, static_cast<double>(factors_.size()));
}

void LowRankBank::products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  const double cost = 2 * static_cast<double>(n_) * mean_rank();
  StopCheck stop(watch());
  parallel_for(static_cast<Index>(set.size()), threads_, cost, [&](Index begin, Index end) {
    for (Index k = begin; k < end && !stop.skip(); ++k) {
      const Matrix& Z = factor(set[static_cast<std::size_t>(k)]);
      out.col(k).noalias() = Z * (Z.transpose() * v);
    }
  });
  stop.finish();
}

void LowRankBank::quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const {
  const double cost = static_cast<double>(n_) * mean_rank();
  StopCheck stop(watch());
  parallel_for(static_cast<Index>(set.size()), threads_, cost, [&](Index begin, Index end) {
    for (Index k = begin; k < end && !stop.skip(); ++k)
      out(k) = (factor(set[static_cast<std::size_t>(k)]).transpose() * v).squaredNorm();
  });
  stop.finish();
}

void LowRankBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < static_cast<Index>(set.size()); ++k) {
    watch().check();
    const Matrix& Z = factor(set[static_cast<std::size_t>(k)]);
    out.noalias() += weights(k) * (Z * (Z.transpose() * v));
  }
}

void LowRankBank::weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < static_cast<Index>(set.size()); ++k) {
    const Matrix& Z = factor(set[static_cast<std::size_t>(k)]);
    out.noalias() += Z * (weights(k) * Z.row(i).transpose());
  }
}

void LowRankBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < static_cast<Index>(set.size()); ++k)
    out += weights(k) * factor(set[static_cast<std::size_t>(k)]).rowwise().squaredNorm();
}

void LowRankBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  // All factors side by side: one large symmetric product instead of many small ones.
  Index total = 0;
  for (const Index kernel : set) total += factor(kernel).cols();
  Matrix joined(n_, total);
  weighted_factor(set, weights, joined);
  watch().check();
  blas::symmetric_rank_k(1, joined, A, threads_);
}

void LowRankBank::weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const {
  Index first = 0;
  for (Index k = 0; k < static_cast<Index>(set.size()); ++k) {
    const Matrix& Z = factor(set[static_cast<std::size_t>(k)]);
    columns.middleCols(first, Z.cols()) = std::sqrt(weights(k)) * Z;
    first += Z.cols();
  }
}

std::shared_ptr<const KernelBank> LowRankBank::subset(std::vector<Index> kernels, const KernelBank* previous) const {
  return std::make_shared<LowRankWorkingSet>(*this, std::move(kernels),
                                             dynamic_cast<const LowRankWorkingSet*>(previous));
}

std::shared_ptr<const KernelBank> LowRankBank::on_samples(const std::vector<Index>& rows) const {
  std::vector<Matrix> factors;
  for (const Matrix& Z : factors_) factors.push_back(Z(rows, Eigen::all));
  // The diagonal of what is missing has no negative entries: some of them add up to no more than all.
  return std::make_shared<LowRankBank>(std::move(factors), missing_, static_cast<Index>(rows.size()), names_, threads_,
                                       watch(), work_bytes());
}

std::vector<BankUse> LowRankBank::use() const {
  double bytes = 0;
  for (const Matrix& Z : factors_) bytes += sizeof(double) * static_cast<double>(Z.size());
  return {{"low rank", n_kernels(), bytes}};
}

}  // namespace spicymkl
