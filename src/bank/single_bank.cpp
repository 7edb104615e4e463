#include "spicymkl/bank/single_bank.hpp"

#include <algorithm>

#include "core/simd.hpp"
#include "gather.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

/// out = K v, reading the lower triangle (column-major) once.
void symmetric_product(Index n, const float* K, const double* v, double* out) {
  std::fill(out, out + n, 0.0);
  simd_dispatch([=]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    for (Index j = 0; j < n; ++j) {
      const float* column = K + j * n;
      const double factor = v[j];
      double sum = static_cast<double>(column[j]) * factor;
#pragma omp simd reduction(+ : sum)
      for (Index i = j + 1; i < n; ++i) {
        const auto entry = static_cast<double>(column[i]);
        sum += entry * v[i];
        out[i] += entry * factor;
      }
      out[j] += sum;
    }
  });
}

void add_scaled(Index n, double factor, const float* source, double* target) {
  simd_dispatch([=]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
#pragma omp simd
    for (Index i = 0; i < n; ++i) target[i] += factor * static_cast<double>(source[i]);
  });
}

}  // namespace

SingleBank::SingleBank(std::vector<const float*> grams, Index n_samples, std::vector<std::string> names, int threads,
                       std::shared_ptr<const void> owner, Watch watch)
    : KernelBank(std::move(watch)),
      grams_(std::move(grams)),
      n_(n_samples),
      names_(std::move(names)),
      threads_(resolve_threads(threads)),
      owner_(std::move(owner)),
      traces_(Vector::Zero(n_kernels())) {
  for (Index m = 0; m < n_kernels(); ++m)
    for (Index i = 0; i < n_; ++i) traces_(m) += static_cast<double>(gram(m)[i * n_ + i]);
}

void SingleBank::products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  StopCheck stop(watch());
  parallel_for(static_cast<Index>(set.size()), threads_, pass_cost(), [&](Index begin, Index end) {
    for (Index k = begin; k < end && !stop.skip(); ++k)
      symmetric_product(n_, gram(set[static_cast<std::size_t>(k)]), v.data(), out.col(k).data());
  });
  stop.finish();
}

void SingleBank::quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const {
  StopCheck stop(watch());
  parallel_for(static_cast<Index>(set.size()), threads_, pass_cost(), [&](Index begin, Index end) {
    Vector product(n_);
    for (Index k = begin; k < end && !stop.skip(); ++k) {
      symmetric_product(n_, gram(set[static_cast<std::size_t>(k)]), v.data(), product.data());
      out(k) = std::max(v.dot(product), 0.0);
    }
  });
  stop.finish();
}

void SingleBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  const double cost = static_cast<double>(n_) * static_cast<double>(set.size()) / 2;
  StopCheck stop(watch());
  parallel_for(n_, threads_, cost, [&](Index begin, Index end) {
    for (Index j = begin; j < end && !stop.skip(); ++j)
      for (std::size_t k = 0; k < set.size(); ++k)
        add_scaled(n_ - j, weights(static_cast<Index>(k)), gram(set[k]) + j * n_ + j, &A(j, j));
  });
  stop.finish();
}

void SingleBank::weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  out.setZero();
  for (std::size_t k = 0; k < set.size(); ++k)
    add_scaled(n_, weights(static_cast<Index>(k)), gram(set[k]) + i * n_, out.data());
}

void SingleBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  for (std::size_t k = 0; k < set.size(); ++k)
    for (Index i = 0; i < n_; ++i)
      out(i) += weights(static_cast<Index>(k)) * static_cast<double>(gram(set[k])[i * n_ + i]);
}

std::shared_ptr<const KernelBank> SingleBank::on_samples(const std::vector<Index>& rows) const {
  const auto cut = gather(grams_, n_, rows, threads_);
  return std::make_shared<SingleBank>(cut->grams, static_cast<Index>(rows.size()), names_, threads_, cut, watch());
}

std::vector<BankUse> SingleBank::use() const {
  return {{"single precision", n_kernels(), sizeof(float) * pass_cost() * static_cast<double>(n_kernels())}};
}

}  // namespace spicymkl
