#include "blas.hpp"

#include <cblas.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "blas_kernels.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, double* b,
             const int* ldb, int* info);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace spicymkl::blas {

namespace {

/// While the program is loaded, before it has threads.
[[maybe_unused]] const bool kKernelsChosen = (choose_blas_kernels(), true);

constexpr Index kTile = 192;  // deep enough for a fast matrix product, small enough to share out

/// Room in the address space that OpenBLAS may want at any call.
constexpr std::size_t kBuffer = std::size_t{1} << 27;

/// OpenBLAS takes a buffer for every thread that calls it, and where a limit on the process (ulimit -v) leaves it none
/// it tries for ever. So the system is asked first.
void ask_for_buffer() {
  static const rlim_t limit = [] {
    rlimit now{};
    return ::getrlimit(RLIMIT_AS, &now) == 0 ? now.rlim_cur : RLIM_INFINITY;
  }();
  if (limit == RLIM_INFINITY) return;
  void* room = ::mmap(nullptr, kBuffer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    throw InputError(
        fmt::format("not enough memory: this process may have {} MB (ulimit -v), and the {} MB per thread that BLAS "
                    "needs are no longer free; raise the limit, or give fewer --threads or less --memory",
                    limit >> 20, kBuffer >> 20));
  ::munmap(room, kBuffer);
}

/// Around every call of BLAS: it runs on the calling thread, and has room to.
struct BlasCall {
  BlasCall() : one(1) { ask_for_buffer(); }
  ThreadScope one;
};

int to_int(Index value) { return static_cast<int>(value); }

bool cholesky_of_tile(MatrixRef A) {
  const BlasCall call;
  const int n = to_int(A.rows()), stride = std::max(1, to_int(A.outerStride()));  // 0 is refused, even of nothing
  int info = 0;
  dpotrf_("L", &n, A.data(), &stride, &info);
  return info == 0;
}

// What BLAS calls by two names, in double and in single precision.

void syrk(int n, int k, double scale, const double* U, int u_stride, double keep, double* A, int a_stride) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, k, scale, U, u_stride, keep, A, a_stride);
}
void syrk(int n, int k, float scale, const float* U, int u_stride, float keep, float* A, int a_stride) {
  cblas_ssyrk(CblasColMajor, CblasLower, CblasNoTrans, n, k, scale, U, u_stride, keep, A, a_stride);
}
/// C = keep · C + scale · U Vᵀ, where U and V have rows of one matrix.
void gemm(int m, int n, int k, double scale, const double* U, const double* V, int stride, double keep, double* C,
          int c_stride) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, m, n, k, scale, U, stride, V, stride, keep, C, c_stride);
}
void gemm(int m, int n, int k, float scale, const float* U, const float* V, int stride, float keep, float* C,
          int c_stride) {
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, m, n, k, scale, U, stride, V, stride, keep, C, c_stride);
}

/// Columns [j, j + width) of the lower triangle of A = keep · A + scale · U Uᵀ.
template <class Columns, class Target>
void rank_k_columns(double scale, const Columns& U, double keep, Target& A, Index j, Index width) {
  using Scalar = typename Target::Scalar;
  const BlasCall call;
  const int k = to_int(U.cols()), u_stride = to_int(U.outerStride()), a_stride = to_int(A.outerStride());
  const auto by = static_cast<Scalar>(scale), of = static_cast<Scalar>(keep);
  const Scalar* top = U.data() + j;
  syrk(to_int(width), k, by, top, u_stride, of, &A(j, j), a_stride);
  const Index below = A.rows() - j - width;
  if (below > 0) gemm(to_int(below), to_int(width), k, by, top + width, top, u_stride, of, &A(j + width, j), a_stride);
}

/// Lower triangle of A = keep · A + scale · U Uᵀ.
template <class Columns, class Target>
void rank_k_triangle(double scale, const Columns& U, double keep, Target& A, int threads) {
  const Index n = A.rows();
  const Index width = std::clamp<Index>((n + 2 * threads - 1) / (2 * threads), 1, kTile);
  const Index tiles = (n + width - 1) / width;
  // Tile t of the lower triangle shrinks with t: pairing it with the t-th from the end gives every thread the same
  // work.
  const double cost = static_cast<double>(width * n * U.cols());
  parallel_for((tiles + 1) / 2, threads, cost, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const auto tile = [&](Index which) {
        rank_k_columns(scale, U, keep, A, which * width, std::min(width, n - which * width));
      };
      tile(t);
      if (tiles - 1 - t != t) tile(tiles - 1 - t);
    }
  });
}

/// Products with few columns read A as it is: a matrix product would copy it first.
constexpr Index kFewColumns = 4;
constexpr Index kTileBytes = 1 << 19;  // of A, which stays in a cache until the last of the columns had it

template <class Body>
void for_each_row_tile(ConstMatrixRef A, const Body& body) {
  const Index height = std::max<Index>(kTileBytes / (static_cast<Index>(sizeof(double)) * A.cols()), 64);
  for (Index begin = 0; begin < A.rows(); begin += height) body(begin, std::min(height, A.rows() - begin));
}

/// B ← B L⁻ᵀ for the rows that lie below a factored tile.
void solve_below_tile(ConstMatrixRef tile, MatrixRef B, int threads) {
  const double cost = static_cast<double>(B.cols() * B.cols());
  parallel_for(B.rows(), threads, cost, [&](Index begin, Index end) {
    const BlasCall call;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, to_int(end - begin), to_int(B.cols()),
                1.0, tile.data(), to_int(tile.outerStride()), B.data() + begin, to_int(B.outerStride()));
  });
}

}  // namespace

void symmetric_product(Index n, const double* K, const double* v, double* out) {
  const BlasCall call;
  cblas_dsymv(CblasColMajor, CblasLower, to_int(n), 1.0, K, to_int(n), v, 1, 0.0, out, 1);
}

void symmetric_product(const Matrix& A, ConstVectorRef v, VectorRef out, Matrix& parts, int threads) {
  const Index n = A.rows();
  parts.setZero(n, threads);
  // Columns [begin, end) of the lower triangle: parts of equal area, each with a result of its own.
  const auto boundary = [&](Index part) {
    const double share = static_cast<double>(part) / static_cast<double>(threads);
    return part == threads ? n : static_cast<Index>(static_cast<double>(n) * (1 - std::sqrt(1 - share)));
  };
  const double cost = static_cast<double>(n) * static_cast<double>(n) / threads;
  parallel_for(threads, threads, cost, [&](Index first, Index last) {
    const BlasCall call;
    for (Index part = first; part < last; ++part) {
      const Index begin = boundary(part), width = boundary(part + 1) - begin, below = n - begin - width;
      if (width == 0) continue;
      const int stride = to_int(A.outerStride());
      double* result = parts.col(part).data();
      cblas_dsymv(CblasColMajor, CblasLower, to_int(width), 1.0, &A(begin, begin), stride, v.data() + begin, 1, 1.0,
                  result + begin, 1);
      if (below == 0) continue;
      const double* block = &A(begin + width, begin);
      cblas_dgemv(CblasColMajor, CblasNoTrans, to_int(below), to_int(width), 1.0, block, stride, v.data() + begin, 1,
                  1.0, result + begin + width, 1);
      cblas_dgemv(CblasColMajor, CblasTrans, to_int(below), to_int(width), 1.0, block, stride, v.data() + begin + width,
                  1, 1.0, result + begin, 1);
    }
  });
  out = parts.rowwise().sum();
}

void subtract_product(ConstMatrixRef U, ConstMatrixRef V, MatrixRef C, int threads) {
  if (U.cols() == 0 || C.cols() == 0) return;
  parallel_for(C.rows(), threads, static_cast<double>(U.cols() * C.cols()), [&](Index begin, Index end) {
    const BlasCall call;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, to_int(end - begin), to_int(C.cols()), to_int(U.cols()), -1.0,
                U.data() + begin, to_int(U.outerStride()), V.data(), to_int(V.outerStride()), 1.0, C.data() + begin,
                to_int(C.outerStride()));
  });
}

void divide_by_transposed(ConstMatrixRef L, MatrixRef B, int threads) { solve_below_tile(L, B, threads); }

void multiply_by_upper(double scale, ConstMatrixRef A, MatrixRef B) {
  const BlasCall call;
  cblas_dtrmm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, to_int(B.rows()), to_int(B.cols()),
              scale, A.data(), to_int(A.outerStride()), B.data(), to_int(B.outerStride()));
}

void add_product(double scale, ConstMatrixRef A, ConstVectorRef v, VectorRef out, bool transposed, int threads) {
  if (A.size() == 0) return;
  const int stride = to_int(A.outerStride());
  // Every part has entries of the result to itself.
  const double cost = static_cast<double>(transposed ? A.rows() : A.cols());
  parallel_for(out.size(), threads, cost, [&](Index begin, Index end) {
    const BlasCall call;
    const int size = to_int(end - begin);
    if (transposed)
      cblas_dgemv(CblasColMajor, CblasTrans, to_int(A.rows()), size, scale, A.data() + begin * A.outerStride(), stride,
                  v.data(), 1, 1.0, out.data() + begin, 1);
    else
      cblas_dgemv(CblasColMajor, CblasNoTrans, size, to_int(A.cols()), scale, A.data() + begin, stride, v.data(), 1,
                  1.0, out.data() + begin, 1);
  });
}

void add_product(double scale, ConstMatrixRef A, ConstMatrixRef B, MatrixRef C) {
  if (A.size() == 0 || B.size() == 0) return;
  if (C.cols() <= kFewColumns) {
    for_each_row_tile(A, [&](Index begin, Index size) {
      for (Index k = 0; k < C.cols(); ++k)
        add_product(scale, A.middleRows(begin, size), B.col(k), C.col(k).segment(begin, size), false);
    });
    return;
  }
  const BlasCall call;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, to_int(C.rows()), to_int(C.cols()), to_int(A.cols()), scale,
              A.data(), to_int(A.outerStride()), B.data(), to_int(B.outerStride()), 1.0, C.data(),
              to_int(C.outerStride()));
}

void add_transposed_product(double scale, ConstMatrixRef A, ConstMatrixRef B, MatrixRef C) {
  if (A.size() == 0 || B.size() == 0) return;
  if (C.cols() <= kFewColumns) {
    for_each_row_tile(A, [&](Index begin, Index size) {
      for (Index k = 0; k < C.cols(); ++k)
        add_product(scale, A.middleRows(begin, size), B.col(k).segment(begin, size), C.col(k), true);
    });
    return;
  }
  const BlasCall call;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, to_int(C.rows()), to_int(C.cols()), to_int(A.rows()), scale,
              A.data(), to_int(A.outerStride()), B.data(), to_int(B.outerStride()), 1.0, C.data(),
              to_int(C.outerStride()));
}

void inner_products(ConstMatrixRef A, Index first, MatrixRef G, int threads) {
  const Index n = A.cols(), tiles = (n + kTile - 1) / kTile;
  const auto tile = [&](Index t) {
    const Index begin = t * kTile, width = std::min(kTile, n - begin), top = std::max(first, begin);
    auto rows = G.block(top, begin, n - top, width);
    rows.setZero();
    add_transposed_product(1, A.rightCols(n - top), A.middleCols(begin, width), rows);
  };
  // Tiles shrink to the right: pairing a tile with its mirror image gives every thread the same work.
  const auto cost = static_cast<double>(kTile * (n - first)) * static_cast<double>(A.rows());
  parallel_for((tiles + 1) / 2, threads, cost, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      tile(t);
      if (tiles - 1 - t != t) tile(tiles - 1 - t);
    }
  });
}

void solve_lower(ConstMatrixRef L, VectorRef v, bool transposed) {
  if (L.size() == 0) return;
  const BlasCall call;
  cblas_dtrsv(CblasColMajor, CblasLower, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit, to_int(L.rows()),
              L.data(), to_int(L.outerStride()), v.data(), 1);
}

void symmetric_product(ConstMatrixRef K, ConstMatrixRef V, MatrixRef out) {
  const BlasCall call;
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, to_int(V.rows()), to_int(V.cols()), 1.0, K.data(),
              to_int(K.outerStride()), V.data(), to_int(V.outerStride()), 0.0, out.data(), to_int(out.outerStride()));
}

void symmetric_rank_k(double scale, ConstMatrixRef U, MatrixRef A, int threads) {
  if (U.cols() == 0 || A.rows() == 0) return;
  rank_k_triangle(scale, U, 1, A, threads);
}

void symmetric_rank_k(const Eigen::MatrixXf& U, Eigen::MatrixXf& A, int threads) {
  if (U.cols() > 0 && A.rows() > 0) rank_k_triangle(1, U, 1, A, threads);
}

void outer_products(ConstMatrixRef U, MatrixRef A, int threads) {
  if (A.rows() > 0) rank_k_triangle(1, U, 0, A, threads);
}

void outer_products(const Eigen::MatrixXf& U, Eigen::MatrixXf& A, int threads) {
  if (A.rows() > 0) rank_k_triangle(1, U, 0, A, threads);
}

bool cholesky(MatrixRef A, int threads) {
  const Index n = A.rows();
  if (threads == 1 || n <= 2 * kTile) return cholesky_of_tile(A);
  // Right-looking by tiles: factor the diagonal tile, solve the rows below it, update the rest.
  for (Index k = 0; k < n; k += kTile) {
    const Index width = std::min(kTile, n - k), rest = n - k - width;
    if (!cholesky_of_tile(A.block(k, k, width, width))) return false;
    if (rest == 0) break;
    solve_below_tile(A.block(k, k, width, width), A.block(k + width, k, rest, width), threads);
    symmetric_rank_k(-1, A.block(k + width, k, rest, width), A.block(k + width, k + width, rest, rest), threads);
  }
  return true;
}

void cholesky_solve(ConstMatrixRef factor, MatrixRef B) {
  const BlasCall call;
  const int n = to_int(factor.rows()), columns = to_int(B.cols());
  const int factor_stride = to_int(factor.outerStride()), stride = to_int(B.outerStride());
  int info = 0;
  dpotrs_("L", &n, &columns, factor.data(), &factor_stride, B.data(), &stride, &info);
}

Vector eigen_decompose(MatrixRef A) {
  const BlasCall call;
  const int n = to_int(A.rows()), stride = to_int(A.outerStride()), query = -1;
  Vector eigenvalues(A.rows());
  double work_size = 0;
  int index_size = 0, info = 0;
  dsyevd_("V", "L", &n, A.data(), &stride, eigenvalues.data(), &work_size, &query, &index_size, &query, &info);
  Vector work(static_cast<Index>(work_size));
  std::vector<int> indices(index_size);
  const int work_length = to_int(work.size());
  dsyevd_("V", "L", &n, A.data(), &stride, eigenvalues.data(), work.data(), &work_length, indices.data(), &index_size,
          &info);
  if (info != 0) throw std::runtime_error("the eigenvalues of a matrix could not be computed");
  return eigenvalues;
}

}  // namespace spicymkl::blas
