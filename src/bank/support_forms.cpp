#include "spicymkl/bank/support_forms.hpp"

#include <algorithm>

#include "spicymkl/bank/dense_bank.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr double kWorthGathering = 0.7;  // part of the entries that are not 0: above it BLAS on all of them is faster

/// vᵀKv from the lower triangle of K between the entries `support`, in rising order.
double form(const Eigen::Map<const Matrix>& K, const std::vector<Index>& support, const Vector& values) {
  double off_diagonal = 0, diagonal = 0;
  for (std::size_t j = 0; j < support.size(); ++j) {
    const double* column = K.data() + support[j] * K.rows();
    double sum = 0;
    for (std::size_t i = j + 1; i < support.size(); ++i) sum += column[support[i]] * values(static_cast<Index>(i));
    const double value = values(static_cast<Index>(j));
    off_diagonal += sum * value;
    diagonal += column[support[j]] * value * value;
  }
  return std::max(diagonal + 2 * off_diagonal, 0.0);
}

}  // namespace

void support_forms(const KernelBank& bank, ConstVectorRef v, VectorRef out) {
  std::vector<Index> support;
  for (Index i = 0; i < v.size(); ++i)
    if (v(i) != 0) support.push_back(i);
  const auto* dense = dynamic_cast<const DenseBank*>(&bank);
  const auto size = static_cast<double>(support.size());
  if (dense == nullptr || size > kWorthGathering * static_cast<double>(v.size())) {
    bank.quadratic_forms(all_kernels(bank.n_kernels()), v, out);
    return;
  }
  const Vector values = v(support);
  parallel_for(bank.n_kernels(), bank.threads(), size * size / 2, [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) out(m) = form(dense->gram(m), support, values);
  });
}

}  // namespace spicymkl
