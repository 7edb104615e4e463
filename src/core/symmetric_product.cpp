#include "symmetric_product.hpp"

#include <algorithm>

#include "simd.hpp"
#include "spicymkl/core/parallel.hpp"
#include "triangle_parts.hpp"

namespace spicymkl {

namespace {

constexpr Index kColumnsTogether = 4;  // of A: entries of v and of the result are read and written less often

using Corner =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kColumnsTogether, kColumnsTogether>;

/// Rows of four columns of A, below the diagonal: sums += their products with v, and out += these columns times
/// `factors`.
template <class Number>
void multiply_columns(Index length, const Number* const* columns, const double* v, const double* factors, double* sums,
                      double* out) {
  simd_dispatch([=]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    const Number *a = columns[0], *b = columns[1], *c = columns[2], *d = columns[3];
    const double x = factors[0], y = factors[1], z = factors[2], w = factors[3];
    double p = 0, q = 0, r = 0, s = 0;
#pragma omp simd reduction(+ : p, q, r, s)
    for (Index i = 0; i < length; ++i) {
      const auto ai = static_cast<double>(a[i]), bi = static_cast<double>(b[i]);
      const auto ci = static_cast<double>(c[i]), di = static_cast<double>(d[i]);
      p += ai * v[i];
      q += bi * v[i];
      r += ci * v[i];
      s += di * v[i];
      out[i] += (ai * x + bi * y) + (ci * z + di * w);
    }
    sums[0] += p;
    sums[1] += q;
    sums[2] += r;
    sums[3] += s;
  });
}

/// out += what columns [begin, end) of the lower triangle, and their mirror images, contribute to AV.
template <class Number>
void add_products(const Square<Number>& A, Index begin, Index end, const Matrix& V, Matrix& out) {
  for (Index j = begin; j < end; j += kColumnsTogether) {
    const Index width = std::min(kColumnsTogether, end - j), below = j + width, length = A.rows() - below;
    const Corner corner = A.block(j, j, width, width).template cast<double>();
    for (Index k = 0; k < V.cols(); ++k) {
      out.col(k).segment(j, width) += corner.selfadjointView<Eigen::Lower>() * V.col(k).segment(j, width);
      const Number* columns[kColumnsTogether];
      double factors[kColumnsTogether] = {}, sums[kColumnsTogether] = {};
      for (Index i = 0; i < kColumnsTogether; ++i) {  // a group that is not full is filled up with zeros
        columns[i] = A.data() + std::min(j + i, end - 1) * A.rows() + below;
        if (i < width) factors[i] = V(j + i, k);
      }
      multiply_columns(length, columns, V.col(k).data() + below, factors, sums, out.col(k).data() + below);
      for (Index i = 0; i < width; ++i) out(j + i, k) += sums[i];
    }
  }
}

}  // namespace

template <class Number>
void symmetric_product(const Square<Number>& A, const Matrix& V, Matrix& out, std::vector<Matrix>& parts, int threads) {
  const Index n = A.rows(), n_parts = threads;
  parts.resize(n_parts);
  const double cost = static_cast<double>(n * n * V.cols()) / static_cast<double>(n_parts);
  parallel_for(n_parts, threads, cost, [&](Index first, Index last) {
    for (Index part = first; part < last; ++part) {
      parts[part].setZero(n, V.cols());
      const Index begin = first_column_of_part(part, n_parts, n), end = first_column_of_part(part + 1, n_parts, n);
      add_products(A, begin, end, V, parts[part]);
    }
  });
  out = parts.front();
  for (Index part = 1; part < n_parts; ++part) out += parts[part];
}

template void symmetric_product(const Square<double>&, const Matrix&, Matrix&, std::vector<Matrix>&, int);
template void symmetric_product(const Square<float>&, const Matrix&, Matrix&, std::vector<Matrix>&, int);

}  // namespace spicymkl
