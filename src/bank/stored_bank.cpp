#include "spicymkl/bank/stored_bank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "core/blas.hpp"
#include "core/compensated_sum.hpp"
#include "core/flush_denormals.hpp"
#include "core/renew.hpp"
#include "core/simd.hpp"
#include "dense_sum.hpp"
#include "gather.hpp"
#include "spicymkl/core/error.hpp"
#include "support.hpp"

namespace spicymkl {

namespace {

/// A symmetric product reads half of the matrix in one go. To read whole columns, or single entries of some, pays when
/// they are few.
constexpr double kFewColumns = 0.33, kFewEntries = 0.7;
constexpr Index kPanel = 64;  // columns of a matrix in single precision that are converted at a time

bool mostly_zero_vector(ConstMatrixRef V, double part) {
  return V.cols() == 1 && static_cast<double>((V.array() != 0).count()) < part * static_cast<double>(V.size());
}

/// out = KV. Of K, the lower triangle is read.
void multiply(const DenseBank::Gram& K, ConstMatrixRef V, MatrixRef out) {
  if (V.cols() == 1) blas::symmetric_product(K.rows(), K.data(), V.data(), out.data());
  else blas::symmetric_product(K, V, out);
}

/// The same for one vector, the matrix being read once.
void symmetric_product(Index n, const float* K, const double* v, double* out) {
  const FlushDenormals flush;
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

/// The same; several vectors read all of K.
void multiply(const SingleBank::Gram& K, ConstMatrixRef V, MatrixRef out) {
  if (V.cols() == 1) return symmetric_product(K.rows(), K.data(), V.data(), out.data());
  Matrix panel(K.rows(), std::min(kPanel, K.cols()));
  for (Index first = 0; first < K.cols(); first += kPanel) {
    auto columns = panel.leftCols(std::min(kPanel, K.cols() - first));
    columns = K.middleCols(first, columns.cols()).cast<double>();
    out.middleRows(first, columns.cols()).noalias() = columns.transpose() * V;
  }
}

/// Σ_{i≥j} K_ij P_ij. Terms of both signs cancel where outputs sum to zero over the samples and a kernel is wide: what
/// columns add up to is added without loss.
template <class Gram>
double triangle_product(const Gram& K, const Matrix& P) {
  const FlushDenormals flush;
  CompensatedSum total;
  const Index n = K.rows();
  const auto* entries = K.data();
  const double* factors = P.data();
  simd_dispatch([=, &total]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    for (Index j = 0; j < n; ++j) {
      const auto* column = entries + j * n;
      const double* weights = factors + j * n;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (Index i = j; i < n; ++i) sum += static_cast<double>(column[i]) * weights[i];
      total += sum;
    }
  });
  return total.value();
}

}  // namespace

template <class Number>
StoredBank<Number>::StoredBank(std::vector<const Number*> grams, Index n_samples, std::vector<std::string> names,
                               int threads, std::shared_ptr<const void> owner, Watch watch)
    : KernelBank({n_samples, std::ssize(grams), threads, std::move(watch)}),
      grams_(std::move(grams)),
      names_(std::move(names)),
      owner_(std::move(owner)),
      traces_(n_kernels()) {
  if (grams_.empty() || n_samples < 1)
    throw InputError("there is no kernel: give at least one Gram matrix of one sample or more");
  if (!names_.empty() && names_.size() != grams_.size())
    throw InputError(fmt::format("{} kernel names were given for {} kernels", names_.size(), grams_.size()));
  for (Index m = 0; m < n_kernels(); ++m) traces_(m) = gram(m).diagonal().template cast<double>().sum();
}

template <class Number>
StoredBank<Number>::StoredBank(const StoredBank& whole, const std::vector<Index>& kernels)
    : KernelBank({whole.n_samples(), std::ssize(kernels), whole.threads(), whole.watch(), whole.work_bytes()}),
      owner_(whole.owner_),
      traces_(whole.traces_(kernels)) {
  for (const Index kernel : kernels) {
    grams_.push_back(whole.grams_[kernel]);
    names_.push_back(whole.name(kernel));
  }
}

template <class Number>
std::string StoredBank<Number>::name(Index kernel) const {
  return names_.empty() ? KernelBank::name(kernel) : names_[kernel];
}

template <class Number>
double StoredBank<Number>::missing_trace(Index) const {
  return std::is_same_v<Number, double> ? 0 : std::numeric_limits<double>::infinity();
}

template <class Number>
void StoredBank<Number>::sparse_products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  const std::vector<Index> support = support_of(v);
  const double cost = static_cast<double>(set.size() * support.size());
  StopCheck stop(watch());
  parallel_for(n_samples(), threads(), cost, [&](Index begin, Index end) {
    const Index length = end - begin;
    for (Index k = 0; k < std::ssize(set) && !stop.skip(); ++k) {
      const Gram K = gram(set[k]);
      const auto column = [&](std::size_t at) {
        return K.col(support[at]).segment(begin, length).template cast<double>();
      };
      auto sum = out.col(k).segment(begin, length);
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

template <class Number>
void StoredBank<Number>::sparse_forms(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  const std::vector<Index> support = support_of(v);
  const auto cost = static_cast<double>(support.size() * support.size());
  for_each_kernel(set, cost, [&](Index k, Matrix&) {
    double form = 0;
    for (std::size_t b = 0; b < support.size(); ++b) {
      const Number* column = grams_[set[k]] + support[b] * n_samples();
      double sum = 0.5 * v(support[b]) * static_cast<double>(column[support[b]]);
      for (std::size_t a = b + 1; a < support.size(); ++a)
        sum += v(support[a]) * static_cast<double>(column[support[a]]);
      form += 2 * v(support[b]) * sum;
    }
    out(k, 0) = std::max(form, 0.0);
  });
}

template <class Number>
void StoredBank<Number>::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  if (mostly_zero_vector(V, kFewColumns)) return sparse_products(set, V.col(0), out);
  const Index width = V.cols();
  for_each_kernel(set, pass_cost() * static_cast<double>(width),
                  [&](Index k, Matrix&) { multiply(gram(set[k]), V, out.middleCols(k * width, width)); });
}

template <class Number>
void StoredBank<Number>::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  if (mostly_zero_vector(V, kFewEntries)) return sparse_forms(set, V.col(0), out);
  for_each_kernel(set, pass_cost() * static_cast<double>(V.cols()), [&](Index k, Matrix& images) {
    renew(images, V.rows(), V.cols());
    multiply(gram(set[k]), V, images);
    for (Index p = 0; p < V.cols(); ++p) out(k, p) = std::max(V.col(p).dot(images.col(p)), 0.0);
  });
}

template <class Number>
void StoredBank<Number>::joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const {
  if (together < kWorthOuterProduct || !has_room_for(1)) return KernelBank::joint_forms(set, V, together, out);
  Matrix P(n_samples(), n_samples());
  for (Index p = 0; p < out.cols(); ++p) {
    blas::outer_products(V.middleCols(p * together, together), P, threads());
    P.diagonal() *= 0.5;  // the triangle stands for both halves of the matrix
    for_each_kernel(set, 0.5 * pass_cost(),
                    [&](Index k, Matrix&) { out(k, p) = std::max(2 * triangle_product(gram(set[k]), P), 0.0); });
  }
}

template <class Number>
void StoredBank<Number>::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < std::ssize(set); ++k) out += weights(k) * gram(set[k]).diagonal().template cast<double>();
}

template <class Number>
void StoredBank<Number>::column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < std::ssize(set); ++k) out += weights(k) * gram(set[k]).col(i).template cast<double>();
}

template <class Number>
void StoredBank<Number>::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  add_dense_sum(grams_, set, weights, A, threads(), watch());
}

template <class Number>
KernelSubsets StoredBank<Number>::subsets() const {
  return {n_kernels(),
          [this](const std::vector<Index>& kernels) { return std::make_shared<StoredBank>(*this, kernels); }};
}

template <class Number>
std::shared_ptr<const KernelBank> StoredBank<Number>::on_samples(const std::vector<Index>& rows) const {
  const auto cut = gather(grams_, n_samples(), rows, threads());
  return std::make_shared<StoredBank>(cut->grams, std::ssize(rows), names_, threads(), cut, watch());
}

template <class Number>
std::vector<BankUse> StoredBank<Number>::use() const {
  const char* kind = std::is_same_v<Number, double> ? "dense" : "single precision";
  return {{kind, n_kernels(), sizeof(Number) * pass_cost() * static_cast<double>(n_kernels())}};
}

template class StoredBank<double>;
template class StoredBank<float>;

}  // namespace spicymkl
