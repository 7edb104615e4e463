#include "low_rank_working_set.hpp"

#include <algorithm>

#include "core/blas.hpp"
#include "dense_sum.hpp"

namespace spicymkl {

namespace {

constexpr Index kNarrow = 16;          // a factor with fewer columns than one in so many samples is added as it is
constexpr double kMostBytes = 0x1p28;  // of matrices

}  // namespace

LowRankWorkingSet::LowRankWorkingSet(const LowRankBank& base, std::vector<Index> kernels,
                                     const LowRankWorkingSet* previous)
    : SubsetBank(base, std::move(kernels)), base_(base) {
  if (previous != nullptr) matrices_ = previous->matrices_;
}

bool LowRankWorkingSet::worth_a_matrix(Index kernel_of_base) const {
  if (kNarrow * base_.rank(kernel_of_base) < n_samples()) return false;
  const double bytes = sizeof(double) * static_cast<double>(n_samples()) * static_cast<double>(n_samples());
  return matrices_.contains(kernel_of_base) ||
         static_cast<double>(matrices_.size() + 1) * bytes <= std::min(kMostBytes, 0.4 * work_bytes());
}

const double* LowRankWorkingSet::matrix(Index kernel_of_base) const {
  std::shared_ptr<const Matrix>& kept = matrices_[kernel_of_base];
  if (kept == nullptr) {
    auto made = std::make_shared<Matrix>(Matrix::Zero(n_samples(), n_samples()));
    blas::symmetric_rank_k(1, base_.factor(kernel_of_base), *made, threads());
    kept = std::move(made);
  }
  return kept->data();
}

void LowRankWorkingSet::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  std::vector<const double*> matrices;
  std::vector<Index> as_matrices, as_factors, factors;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const Index kernel = kernels()[static_cast<std::size_t>(set[k])];
    if (worth_a_matrix(kernel)) {
      matrices.push_back(matrix(kernel));
      as_matrices.push_back(static_cast<Index>(k));
    } else {
      factors.push_back(kernel);
      as_factors.push_back(static_cast<Index>(k));
    }
  }
  if (!matrices.empty())
    add_dense_sum(
        matrices.size(), [&](std::size_t k) { return matrices[k]; }, Vector(weights(as_matrices)), A, threads(),
        watch());
  if (!factors.empty()) base_.add_weighted_sum(factors, Vector(weights(as_factors)), A);
}

}  // namespace spicymkl
