#include "low_rank_bank.hpp"

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "core/renew.hpp"
#include "core/row_sums.hpp"
#include "dense_sum.hpp"

namespace spicymkl {

namespace {

/// out = scale · ZᵀV
template <class Factor, class Block, class Numbers>
void multiply_by_transposed(double scale, const Factor& Z, const Block& V, Numbers& out) {
  renew(out, Z.cols(), V.cols());
  out.setZero();
  blas::add_transposed_product(static_cast<typename Numbers::Scalar>(scale), Z, V, out);
}

std::vector<SharedFactor> shared(std::vector<Matrix> factors) {
  std::vector<SharedFactor> all;
  for (Matrix& factor : factors) all.push_back(std::make_shared<const Matrix>(std::move(factor)));
  return all;
}

}  // namespace

Matrix pivoted_cholesky(const FittedKernel& kernel, const Samples& training, double tolerance, Index max_rank,
                        const Watch& watch) {
  const Index n = training.n_rows();
  const Points points = kernel.points(training);
  const RowTerms terms = kernel.training_terms(training);
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
    kernel.finish(column, terms.part(0, n), terms.part(pivot, 1));
    column(pivot, 0) += kernel.scaled_jitter(terms, pivot);
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
    : LowRankBank(shared(std::move(factors)), std::move(missing), n_samples, std::move(names), threads,
                  std::move(watch), work_bytes) {}

LowRankBank::LowRankBank(std::vector<SharedFactor> factors, Vector missing, Index n_samples,
                         std::vector<std::string> names, int threads, Watch watch, double work_bytes)
    : KernelBank({n_samples, std::ssize(factors), threads, std::move(watch), work_bytes}),
      factors_(std::move(factors)),
      missing_(std::move(missing)),
      traces_(missing_.size()),
      names_(std::move(names)) {
  parallel_for(traces_.size(), this->threads(), mean_size(), [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) traces_(m) = factor(m).squaredNorm();
  });
}

double LowRankBank::mean_size() const {
  double total = 0;
  for (const SharedFactor& Z : factors_) total += static_cast<double>(Z->size());
  return total / std::max(1.0, static_cast<double>(factors_.size()));
}

// Products take some columns of a factor at a time, Zᵀv and Zu one after the other: the second finds them in the cache.
// Factors are larger than any cache, and products would wait for memory twice.

void LowRankBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  const Index width = V.cols();
  for_each_kernel(set, 2 * mean_size() * static_cast<double>(width), [&](Index k, Matrix& in_factor) {
    const Matrix& Z = factor(set[k]);
    auto images = out.middleCols(k * width, width);
    images.setZero();
    const Index at_once = columns_in_cache(sizeof(double));
    for (Index first = 0; first < Z.cols(); first += at_once) {
      const auto some = Z.middleCols(first, std::min(at_once, Z.cols() - first));
      multiply_by_transposed(1, some, V, in_factor);
      blas::add_product(1, some, in_factor, images);
    }
  });
}

void LowRankBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  const double work = mean_size() * static_cast<double>(std::ssize(set)) / static_cast<double>(n_samples());
  parallel_for(n_samples(), threads(), work, [&](Index begin, Index end) {
    auto rows = out.segment(begin, end - begin);
    for (Index k = 0; k < std::ssize(set); ++k)
      for (const auto& column : factor(set[k]).colwise())
        rows += weights(k) * column.segment(begin, end - begin).cwiseAbs2();
  });
}

void LowRankBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  for_each_kernel(set, mean_size() * static_cast<double>(V.cols()), [&](Index k, Matrix& in_factor) {
    multiply_by_transposed(1, factor(set[k]), V, in_factor);
    for (Index p = 0; p < V.cols(); ++p) out(k, p) = in_factor.col(p).squaredNorm();
  });
}

Index LowRankBank::columns_in_cache(std::size_t bytes) const {
  constexpr Index kCachedBytes = 1 << 19, kFew = 4;
  // Long columns stay in no cache: many at a time, so that sums are read and written less.
  constexpr Index kOfLongColumns = 64;
  const Index room = kCachedBytes / (static_cast<Index>(bytes) * n_samples());
  return room < kFew ? kOfLongColumns : room;
}

std::vector<LowRankBank::Columns> LowRankBank::columns_of(KernelSet set, std::size_t bytes) const {
  std::vector<Columns> all;
  const Index most = columns_in_cache(bytes);
  for (Index k = 0; k < std::ssize(set); ++k)
    for (Index first = 0, width = factor(set[k]).cols(); first < width; first += most)
      all.push_back({k, first, std::min(most, width - first)});
  return all;
}

template <class Numbers>
Numbers LowRankBank::sum_of_products(KernelSet set, const std::vector<Eigen::Map<const Numbers>>& factors,
                                     ConstVectorRef weights, const Numbers& V) const {
  const std::vector<Columns> parts = columns_of(set, sizeof(typename Numbers::Scalar));
  const double work = 2 * mean_size() * static_cast<double>(std::ssize(set) * V.cols());
  const Index n_parts = std::ssize(parts);
  const auto n_sums = static_cast<Index>(std::clamp(work / kWorthAThread, 1.0, static_cast<double>(threads())));
  std::vector<Numbers> sums(static_cast<std::size_t>(n_sums));
  StopCheck stop(watch());
  parallel_for(n_sums, threads(), work / static_cast<double>(n_sums), [&](Index begin, Index end) {
    Numbers in_factor;
    for (Index t = begin; t < end; ++t) {
      sums[t].setZero(n_samples(), V.cols());
      for (Index p = n_parts * t / n_sums; p < n_parts * (t + 1) / n_sums && !stop.skip(); ++p) {
        const auto Z = factors[parts[p].position].middleCols(parts[p].first, parts[p].width);
        multiply_by_transposed(weights(parts[p].position), Z, V, in_factor);
        blas::add_product(1, Z, in_factor, sums[t]);
      }
    }
  });
  stop.finish();
  for (std::size_t t = 1; t < sums.size(); ++t) sums.front() += sums[t];
  return std::move(sums.front());
}

void LowRankBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  std::vector<Eigen::Map<const Matrix>> exact;
  for (const Index m : set) exact.emplace_back(factor(m).data(), n_samples(), factor(m).cols());
  out = sum_of_products<Matrix>(set, exact, weights, V);
}

void LowRankBank::rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  std::vector<Eigen::Map<const RoughMatrix>> rough;
  for (const Index m : set) {
    const float* const numbers = matrices_.find_factor(m, factor(m), work_bytes(), threads());
    if (numbers == nullptr) return weighted_product(set, weights, V, out);
    rough.emplace_back(numbers, n_samples(), factor(m).cols());
  }
  out = sum_of_products<RoughMatrix>(set, rough, weights, V.cast<float>()).cast<double>();
}

std::shared_ptr<const KernelBank> LowRankBank::on_samples(const std::vector<Index>& rows) const {
  std::vector<Matrix> factors(factors_.size());
  const double share = static_cast<double>(std::ssize(rows)) / static_cast<double>(n_samples());
  parallel_for(std::ssize(factors), threads(), kFromMemory * share * mean_size(), [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) factors[m] = factor(m)(rows, Eigen::all);
  });
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
    if (const Matrix* lower = matrix(set[k])) {
      out.head(i) += weights(k) * lower->row(i).head(i).transpose();
      out.tail(n_samples() - i) += weights(k) * lower->col(i).tail(n_samples() - i);
    } else {
      const Matrix& Z = factor(set[k]);
      out.noalias() += Z * (weights(k) * Z.row(i).transpose());
    }
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
  std::vector<const double*> matrices;
  std::vector<Index> as_matrices, as_factors, factors;
  Index total = 0;
  for (Index k = 0; k < std::ssize(set); ++k) {
    watch().check();
    if (const Matrix* lower = matrix(set[k])) {
      matrices.push_back(lower->data());
      as_matrices.push_back(k);
    } else {
      factors.push_back(set[k]);
      as_factors.push_back(k);
      total += factor(set[k]).cols();
    }
  }
  if (!matrices.empty())
    add_dense_sum(matrices, all_kernels(std::ssize(matrices)), weights(as_matrices), A, threads(), watch());
  if (factors.empty()) return;
  // All factors side by side: one large symmetric product instead of many small ones.
  Matrix joined(n_samples(), total);
  weighted_factor(factors, weights(as_factors), joined);
  watch().check();
  blas::symmetric_rank_k(1, joined, A, threads());
}

bool LowRankBank::has_quick_rough_sums() const {
  return MatricesOfFactors::make_sums_quick(factors_, n_samples(), work_bytes());
}

void LowRankBank::add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const {
  std::vector<const float*> triangles;
  std::vector<Index> as_triangles;
  RoughMatrix workspace;
  // Where there is no room for all, it is left to the factors in single precision, which take less.
  const bool keep = has_quick_rough_sums();
  for (Index k = 0; k < std::ssize(set); ++k) {
    watch().check();
    const Matrix& Z = factor(set[k]);
    const float* const lower = keep ? matrices_.find_rough(set[k], Z, work_bytes(), threads(), workspace) : nullptr;
    if (lower != nullptr) {
      triangles.push_back(lower);
      as_triangles.push_back(k);
    } else {
      blas::symmetric_rank_k(1, (std::sqrt(weights(k)) * Z).cast<float>(), A, threads());
    }
  }
  add_packed_sum(triangles, weights(as_triangles), A, threads(), watch());
}

}  // namespace spicymkl
