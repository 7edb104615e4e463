#include "spicymkl/core/nested_sums.hpp"

#include <cmath>

#include "compensated_sum.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

Matrix NestedSums::columns(Index n) const {
  Matrix columns = Matrix::Zero(n, count());
  for (Index e = 0; e < count(); ++e)
    for (Index k = 0; k < sizes[e]; ++k) columns(order[k], e) = std::sqrt(weights(e));
  return columns;
}

Vector NestedSums::sums(ConstVectorRef v) const {
  Vector sums(count());
  CompensatedSum sum;
  for (Index e = 0, k = 0; e < count(); ++e) {
    for (; k < sizes[e]; ++k) sum += v(order[k]);
    sums(e) = sum.value();
  }
  return sums;
}

Vector NestedSums::product(ConstVectorRef v) const {
  const Vector of_sets = weights.cwiseProduct(sums(v));
  Vector out = Vector::Zero(v.size());
  double sum = 0;
  for (Index e = count(); e-- > 0;) {
    sum += of_sets(e);
    for (Index k = e > 0 ? sizes[e - 1] : 0; k < sizes[e]; ++k) out(order[k]) = sum;
  }
  return out;
}

Vector NestedSums::heights(Index n) const {
  Vector h = Vector::Zero(n);
  double sum = 0;
  for (Index e = count(); e-- > 0;) {
    sum += weights(e);
    for (Index k = e > 0 ? sizes[e - 1] : 0; k < sizes[e]; ++k) h(order[k]) = sum;
  }
  return h;
}

void NestedSums::add_to(MatrixRef A, int threads) const {
  if (count() == 0) return;
  const Index n = A.rows();
  const Vector h = heights(n);
  parallel_for(n, threads, 0.5 * static_cast<double>(n), [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) A.col(j).tail(n - j).array() += h.tail(n - j).array().min(h(j));
  });
}

}  // namespace spicymkl
