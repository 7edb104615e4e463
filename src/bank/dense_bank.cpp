#include "spicymkl/bank/dense_bank.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/blas.hpp"
#include "dense_sum.hpp"
#include "gather.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "support.hpp"

namespace spicymkl {

DenseBank::DenseBank(std::vector<const double*> grams, Index n_samples, std::vector<std::string> names, int threads,
                     std::shared_ptr<const void> owner, Watch watch)
    : KernelBank(std::move(watch)),
      grams_(std::move(grams)),
      n_(n_samples),
      names_(std::move(names)),
      threads_(resolve_threads(threads)),
      owner_(std::move(owner)) {
  if (grams_.empty() || n_ < 1)
    throw InputError("there is no kernel: give at least one Gram matrix of at least 2 samples");
  if (!names_.empty() && names_.size() != grams_.size())
    throw InputError(fmt::format("{} kernel names were given for {} kernels", names_.size(), grams_.size()));
  traces_.resize(n_kernels());
  for (Index m = 0; m < n_kernels(); ++m) traces_(m) = gram(m).diagonal().sum();
}

std::string DenseBank::name(Index kernel) const {
  return names_.empty() ? fmt::format("k{}", kernel) : names_[static_cast<std::size_t>(kernel)];
}

Eigen::Map<const Matrix> DenseBank::gram(Index kernel) const {
  return {grams_[static_cast<std::size_t>(kernel)], n_, n_};
}

namespace {

bool mostly_zero(ConstVectorRef v, double part) {
  return static_cast<double>((v.array() != 0).count()) < part * static_cast<double>(v.size());
}

/// A symmetric product reads half of the matrix in one go. To read whole columns, or single entries of some, pays when
/// they are few.
constexpr double kFewColumns = 0.33, kFewEntries = 0.7;

}  // namespace

void DenseBank::sparse_products(KernelSet set, ConstVectorRef v, const std::vector<Index>& support,
                                MatrixRef out) const {
  const double cost = static_cast<double>(set.size() * support.size());
  StopCheck stop(watch());
  parallel_for(n_, threads_, cost, [&](Index begin, Index end) {
    const Index length = end - begin;
    for (std::size_t k = 0; k < set.size() && !stop.skip(); ++k) {
      const double* K = data(set[k]) + begin;
      const auto column = [&](std::size_t at) { return Eigen::Map<const Vector>(K + support[at] * n_, length); };
      auto sum = out.col(static_cast<Index>(k)).segment(begin, length);
      sum.setZero();
      std::size_t at = 0;
      for (; at + 4 <= support.size(); at += 4)  // four at a time: the sum is read and written less often
        sum += v(support[at]) * column(at) + v(support[at + 1]) * column(at + 1) + v(support[at + 2]) * column(at + 2) +
               v(support[at + 3]) * column(at + 3);
      for (; at < support.size(); ++at) sum += v(support[at]) * column(at);
    }
  });
  stop.finish();
}

void DenseBank::sparse_forms(KernelSet set, ConstVectorRef v, const std::vector<Index>& support, VectorRef out) const {
  const auto cost = static_cast<double>(support.size() * support.size());
  StopCheck stop(watch());
  parallel_for(static_cast<Index>(set.size()), threads_, cost, [&](Index begin, Index end) {
    for (Index k = begin; k < end && !stop.skip(); ++k) {
      double form = 0;
      for (std::size_t b = 0; b < support.size(); ++b) {
        const double* column = data(set[static_cast<std::size_t>(k)]) + support[b] * n_;
        double sum = 0.5 * v(support[b]) * column[support[b]];
        for (std::size_t a = b + 1; a < support.size(); ++a) sum += v(support[a]) * column[support[a]];
        form += 2 * v(support[b]) * sum;
      }
      out(k) = std::max(form, 0.0);
    }
  });
  stop.finish();
}

void DenseBank::weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  out.setZero();
  for (std::size_t k = 0; k < set.size(); ++k)
    out += weights(static_cast<Index>(k)) * Eigen::Map<const Vector>(data(set[k]) + i * n_, n_);
}

void DenseBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  for (std::size_t k = 0; k < set.size(); ++k) out += weights(static_cast<Index>(k)) * gram(set[k]).diagonal();
}

void DenseBank::products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  if (mostly_zero(v, kFewColumns)) return sparse_products(set, v, support_of(v), out);
  StopCheck stop(watch());
  parallel_for(static_cast<Index>(set.size()), threads_, pass_cost(), [&](Index begin, Index end) {
    for (Index k = begin; k < end && !stop.skip(); ++k)
      blas::symmetric_product(n_, grams_[static_cast<std::size_t>(set[static_cast<std::size_t>(k)])], v.data(),
                              out.col(k).data());
  });
  stop.finish();
}

void DenseBank::quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const {
  if (mostly_zero(v, kFewEntries)) return sparse_forms(set, v, support_of(v), out);
  const Index size = static_cast<Index>(set.size());
  StopCheck stop(watch());
  parallel_for(size, threads_, pass_cost(), [&](Index begin, Index end) {
    Vector product(n_);
    for (Index k = begin; k < end && !stop.skip(); ++k) {
      blas::symmetric_product(n_, grams_[static_cast<std::size_t>(set[static_cast<std::size_t>(k)])], v.data(),
                              product.data());
      out(k) = std::max(v.dot(product), 0.0);
    }
  });
  stop.finish();
}

void DenseBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  add_dense_sum(
      set.size(), [&](std::size_t k) { return data(set[k]); }, weights, A, threads_, watch());
}

std::shared_ptr<const KernelBank> DenseBank::subset(std::vector<Index> kernels, const KernelBank*) const {
  auto part = std::make_shared<DenseBank>(*this);
  part->grams_.clear();
  part->names_.clear();
  for (const Index kernel : kernels) {
    part->grams_.push_back(data(kernel));
    part->names_.push_back(name(kernel));
  }
  part->traces_ = traces_(kernels);
  return part;
}

std::shared_ptr<const KernelBank> DenseBank::on_samples(const std::vector<Index>& rows) const {
  const auto cut = gather(grams_, n_, rows, threads_);
  return std::make_shared<DenseBank>(cut->grams, static_cast<Index>(rows.size()), names_, threads_, cut, watch());
}

double DenseBank::eigenvalue_bound(Index kernel) const {
  // Gershgorin's row sums and, for a positive semi-definite matrix, the trace.
  const double row_sums = gram(kernel).cwiseAbs().colwise().sum().maxCoeff();
  return std::min(row_sums, trace(kernel));
}

std::vector<BankUse> DenseBank::use() const {
  const double bytes = sizeof(double) * static_cast<double>(n_) * static_cast<double>(n_);
  return {{"dense", n_kernels(), bytes * static_cast<double>(n_kernels())}};
}

}  // namespace spicymkl
