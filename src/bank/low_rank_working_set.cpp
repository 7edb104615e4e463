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
                                     std::shared_ptr<Matrices> matrices)
    : ForwardingBank(base, std::move(kernels)), base_(base), matrices_(std::move(matrices)) {}

bool LowRankWorkingSet::worth_a_matrix(Index kernel_of_base) const {
  if (kNarrow * base_.rank(kernel_of_base) < n_samples()) return false;
  const double bytes = sizeof(double) * static_cast<double>(n_samples()) * static_cast<double>(n_samples());
  return matrices_->contains(kernel_of_base) ||
         static_cast<double>(matrices_->size() + 1) * bytes <= std::min(kMostBytes, 0.4 * work_bytes());
}

const double* LowRankWorkingSet::matrix(Index kernel_of_base) const {
  auto kept = matrices_->find(kernel_of_base);
  if (kept == matrices_->end()) {
    Matrix made = Matrix::Zero(n_samples(), n_samples());
    blas::symmetric_rank_k(1, base_.factor(kernel_of_base), made, threads());
    kept = matrices_->emplace(kernel_of_base, std::move(made)).first;
  }
  return kept->second.data();
}

void LowRankWorkingSet::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  std::vector<const double*> matrices;
  std::vector<Index> as_matrices, as_factors, factors;
  for (Index k = 0; k < std::ssize(set); ++k) {
    if (worth_a_matrix(in_base(set[k]))) {
      matrices.push_back(matrix(in_base(set[k])));
      as_matrices.push_back(k);
    } else {
      factors.push_back(in_base(set[k]));
      as_factors.push_back(k);
    }
  }
  if (!matrices.empty())
    add_dense_sum(matrices, all_kernels(std::ssize(matrices)), weights(as_matrices), A, threads(), watch());
  if (!factors.empty()) base_.add_sum(factors, weights(as_factors), A);
}

}  // namespace spicymkl
