#include "symmetric_product.hpp"

#include <algorithm>

#include "renew.hpp"
#include "simd.hpp"
#include "spicymkl/core/parallel.hpp"
#include "triangle_parts.hpp"

namespace spicymkl {

namespace {

constexpr Index kColumnsTogether = 4;  // of A: entries of v and of the result are read and written less often

constexpr Index kRowsTogether = 512;  // of them: in the first cache while the columns of V go by

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Corner =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kColumnsTogether, kColumnsTogether>;

/// Some rows of a group of columns of A, below the diagonal.
template <class Number>
struct Strip {
  const Number* columns[kColumnsTogether];
  Index length;
};

/// Of one column of V: its entries in the rows of the strip and, in the columns of A, those times which these are added
/// to `out`; `sums` gain the products of the strip's columns with v.
struct Side {
  const double* v;
  const double* factors;
  double* sums;
  double* out;
};

template <class Number>
void multiply(const Strip<Number>& strip, const Side& side) {
  simd_dispatch([=]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    const Number *a = strip.columns[0], *b = strip.columns[1], *c = strip.columns[2], *d = strip.columns[3];
    const double *v = side.v, x = side.factors[0], y = side.factors[1], z = side.factors[2], w = side.factors[3];
    double* out = side.out;
    double p = 0, q = 0, r = 0, s = 0;
#pragma omp simd reduction(+ : p, q, r, s)
    for (Index i = 0; i < strip.length; ++i) {
      const auto ai = static_cast<double>(a[i]), bi = static_cast<double>(b[i]);
      const auto ci = static_cast<double>(c[i]), di = static_cast<double>(d[i]);
      p += ai * v[i];
      q += bi * v[i];
      r += ci * v[i];
      s += di * v[i];
      out[i] += (ai * x + bi * y) + (ci * z + di * w);
    }
    side.sums[0] += p;
    side.sums[1] += q;
    side.sums[2] += r;
    side.sums[3] += s;
  });
}

/// Two columns of V at once: every entry of A is loaded once for both.
template <class Number>
void multiply(const Strip<Number>& strip, const Side& one, const Side& two) {
  simd_dispatch([=]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
    const Number *a = strip.columns[0], *b = strip.columns[1], *c = strip.columns[2], *d = strip.columns[3];
    const double *v = one.v, x = one.factors[0], y = one.factors[1], z = one.factors[2], w = one.factors[3];
    const double *V = two.v, X = two.factors[0], Y = two.factors[1], Z = two.factors[2], W = two.factors[3];
    double *out = one.out, *Out = two.out;
    double p = 0, q = 0, r = 0, s = 0, P = 0, Q = 0, R = 0, S = 0;
#pragma omp simd reduction(+ : p, q, r, s, P, Q, R, S)
    for (Index i = 0; i < strip.length; ++i) {
      const auto ai = static_cast<double>(a[i]), bi = static_cast<double>(b[i]);
      const auto ci = static_cast<double>(c[i]), di = static_cast<double>(d[i]);
      p += ai * v[i];
      q += bi * v[i];
      r += ci * v[i];
      s += di * v[i];
      out[i] += (ai * x + bi * y) + (ci * z + di * w);
      P += ai * V[i];
      Q += bi * V[i];
      R += ci * V[i];
      S += di * V[i];
      Out[i] += (ai * X + bi * Y) + (ci * Z + di * W);
    }
    one.sums[0] += p;
    one.sums[1] += q;
    one.sums[2] += r;
    one.sums[3] += s;
    two.sums[0] += P;
    two.sums[1] += Q;
    two.sums[2] += R;
    two.sums[3] += S;
  });
}

/// out += what columns [begin, end) of the lower triangle, and their mirror images, contribute to AV.
template <class Number>
void add_products(const Square<Number>& A, Index begin, Index end, const Matrix& V, Matrix& out) {
  const Index n_sides = V.cols();
  RowMatrix factors(n_sides, kColumnsTogether), sums(n_sides, kColumnsTogether);
  for (Index j = begin; j < end; j += kColumnsTogether) {
    const Index width = std::min(kColumnsTogether, end - j), below = j + width;
    const Corner corner = A.block(j, j, width, width).template cast<double>();
    out.middleRows(j, width) += corner.template selfadjointView<Eigen::Lower>() * V.middleRows(j, width);
    factors.setZero();  // a group that is not full is filled up with zeros
    factors.leftCols(width) = V.middleRows(j, width).transpose();
    sums.setZero();
    for (Index first = below; first < A.rows(); first += kRowsTogether) {
      Strip<Number> strip{{}, std::min(kRowsTogether, A.rows() - first)};
      for (Index i = 0; i < kColumnsTogether; ++i)
        strip.columns[i] = A.data() + std::min(j + i, end - 1) * A.rows() + first;
      const auto side = [&](Index k) {
        return Side{V.col(k).data() + first, factors.row(k).data(), sums.row(k).data(), out.col(k).data() + first};
      };
      for (Index k = 0; k + 1 < n_sides; k += 2) multiply(strip, side(k), side(k + 1));
      if (n_sides % 2 == 1) multiply(strip, side(n_sides - 1));
    }
    out.middleRows(j, width) += sums.leftCols(width).transpose();
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
      renew(parts[part], n, V.cols());
      parts[part].setZero();
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
