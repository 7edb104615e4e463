#include "matrices_of_factors.hpp"

#include <algorithm>

#include "core/blas.hpp"
#include "core/large_room.hpp"
#include "core/renew.hpp"
#include "dense_sum.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

double numbers_of_matrix(Index n) { return static_cast<double>(n) * static_cast<double>(n); }

/// For matrices of factors, where those who work with the bank may use so many.
double most_bytes(double work_bytes) {
  constexpr double kMostBytes = 0x1p32;
  return std::min(kMostBytes, 0.5 * work_bytes);
}

constexpr Index kNarrow = 16;

/// As it is: a factor with fewer columns than one in so many samples.
bool is_quickly_added(const Matrix& factor) { return kNarrow * factor.cols() < factor.rows(); }

}  // namespace

bool MatricesOfFactors::have_room(Index n_kernels, Index n, double work_bytes) {
  return sizeof(double) * static_cast<double>(n_kernels) * numbers_of_matrix(n) <= most_bytes(work_bytes);
}

bool MatricesOfFactors::make_sums_quick(const std::vector<SharedFactor>& factors, Index n, double work_bytes) {
  Index n_kept = 0, width_of_others = 0;
  for (const SharedFactor& factor : factors) {
    if (is_quickly_added(*factor)) width_of_others += factor->cols();
    else ++n_kept;
  }
  const double bytes = sizeof(float) * static_cast<double>(n_kept) * static_cast<double>(start_of_packed_column(n, n));
  return bytes <= most_bytes(work_bytes) && kNarrow * width_of_others < n;
}

bool MatricesOfFactors::take(double bytes, double work_bytes) {
  if (bytes_ + bytes > most_bytes(work_bytes)) return false;
  bytes_ += bytes;
  return true;
}

const float* MatricesOfFactors::find_rough(Index kernel, const Matrix& factor, double work_bytes, int threads,
                                           RoughMatrix& workspace) {
  const Index n = factor.rows(), size = start_of_packed_column(n, n);
  if (is_quickly_added(factor)) return nullptr;
  const std::scoped_lock lock(making_);
  if (const auto kept = rough_.find(kernel); kept != rough_.end()) return kept->second.get();
  if (!take(sizeof(float) * static_cast<double>(size), work_bytes)) return nullptr;
  renew(workspace, n, n);
  blas::outer_products(factor.cast<float>(), workspace, threads);
  const auto packed = large_room<float>(static_cast<std::size_t>(size));
  parallel_for(n, threads, static_cast<double>(n) / 2, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j)
      std::copy_n(&workspace(j, j), n - j, packed.get() + start_of_packed_column(j, n));
  });
  rough_[kernel] = packed;
  return packed.get();
}

const Matrix* MatricesOfFactors::find(Index kernel, const Matrix& factor, double work_bytes, int threads) {
  const Index n = factor.rows();
  if (is_quickly_added(factor)) return nullptr;
  const std::scoped_lock lock(making_);
  if (const auto kept = matrices_.find(kernel); kept != matrices_.end()) return &kept->second;
  if (!take(sizeof(double) * numbers_of_matrix(n), work_bytes)) return nullptr;
  Matrix made(n, n);
  blas::outer_products(factor, made, threads);
  return &matrices_.emplace(kernel, std::move(made)).first->second;
}

const float* MatricesOfFactors::find_factor(Index kernel, const Matrix& factor, double work_bytes, int threads) {
  const Index n = factor.rows(), size = factor.size();
  const std::scoped_lock lock(making_);
  if (const auto kept = factors_.find(kernel); kept != factors_.end()) return kept->second.get();
  if (!take(sizeof(float) * static_cast<double>(size), work_bytes)) return nullptr;
  const auto room = large_room<float>(static_cast<std::size_t>(size));
  parallel_for(factor.cols(), threads, static_cast<double>(n), [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j)
      Eigen::Map<Eigen::VectorXf>(room.get() + j * n, n) = factor.col(j).cast<float>();
  });
  factors_[kernel] = room;
  return room.get();
}

}  // namespace spicymkl
