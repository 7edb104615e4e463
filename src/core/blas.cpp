#include "blas.hpp"

#include <cblas.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "blas_kernels.hpp"
#include "flush_denormals.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, double* b,
             const int* ldb, int* info);
void spotrs_(const char* uplo, const int* n, const int* nrhs, const float* a, const int* lda, float* b, const int* ldb,
             int* info);
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
  FlushDenormals flush;
};

int to_int(Index value) { return static_cast<int>(value); }

// What BLAS calls by two names, in double and in single precision.

int potrf(int n, double* A, int stride) {
  int info = 0;
  dpotrf_("L", &n, A, &stride, &info);
  return info;
}
int potrf(int n, float* A, int stride) {
  int info = 0;
  spotrf_("L", &n, A, &stride, &info);
  return info;
}
/// B ← B L⁻ᵀ
void trsm(int m, int n, const double* L, int stride, double* B, int b_stride) {
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, n, 1, L, stride, B, b_stride);
}
void trsm(int m, int n, const float* L, int stride, float* B, int b_stride) {
  cblas_strsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, n, 1, L, stride, B, b_stride);
}

void syrk(int n, int k, double scale, const double* U, int u_stride, double keep, double* A, int a_stride) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, k, scale, U, u_stride, keep, A, a_stride);
}
void syrk(int n, int k, float scale, const float* U, int u_stride, float keep, float* A, int a_stride) {
  cblas_ssyrk(CblasColMajor, CblasLower, CblasNoTrans, n, k, scale, U, u_stride, keep, A, a_stride);
}
/// C = keep · C + scale · U Vᵀ
void gemm(int m, int n, int k, double scale, const double* U, int u_stride, const double* V, int v_stride, double keep,
          double* C, int c_stride) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, m, n, k, scale, U, u_stride, V, v_stride, keep, C, c_stride);
}
void gemm(int m, int n, int k, float scale, const float* U, int u_stride, const float* V, int v_stride, float keep,
          float* C, int c_stride) {
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, m, n, k, scale, U, u_stride, V, v_stride, keep, C, c_stride);
}

/// y += scale · Ax, or Aᵀx
void gemv(CBLAS_TRANSPOSE transposed, int m, int n, double scale, const double* A, int stride, const double* x,
          double* y) {
  cblas_dgemv(CblasColMajor, transposed, m, n, scale, A, stride, x, 1, 1, y, 1);
}
void gemv(CBLAS_TRANSPOSE transposed, int m, int n, float scale, const float* A, int stride, const float* x, float* y) {
  cblas_sgemv(CblasColMajor, transposed, m, n, scale, A, stride, x, 1, 1, y, 1);
}
/// C += scale · AB, or AᵀB
void add_gemm(CBLAS_TRANSPOSE transposed, int m, int n, int k, double scale, const double* A, int a_stride,
              const double* B, int b_stride, double* C, int c_stride) {
  cblas_dgemm(CblasColMajor, transposed, CblasNoTrans, m, n, k, scale, A, a_stride, B, b_stride, 1, C, c_stride);
}
void add_gemm(CBLAS_TRANSPOSE transposed, int m, int n, int k, float scale, const float* A, int a_stride,
              const float* B, int b_stride, float* C, int c_stride) {
  cblas_sgemm(CblasColMajor, transposed, CblasNoTrans, m, n, k, scale, A, a_stride, B, b_stride, 1, C, c_stride);
}

template <class Target>
bool cholesky_of_tile(Target A) {
  const BlasCall call;
  // A stride of 0 is refused, even of nothing.
  return potrf(to_int(A.rows()), A.data(), std::max(1, to_int(A.outerStride()))) == 0;
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
  if (below > 0)
    gemm(to_int(below), to_int(width), k, by, top + width, u_stride, top, u_stride, of, &A(j + width, j), a_stride);
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

/// Calls body(begin, size, rows) for some rows of A after the other.
template <class Const, class Body>
void for_each_row_tile(const Const& A, const Body& body) {
  constexpr auto kBytes = static_cast<Index>(sizeof(typename Const::Scalar));
  const Index height = std::max<Index>(kTileBytes / (kBytes * A.cols()), 64);
  const BlasCall call;
  for (Index begin = 0; begin < A.rows(); begin += height) {
    const Index size = std::min(height, A.rows() - begin);
    body(begin, to_int(size), A.data() + begin);
  }
}

/// C += scale · AB for a C of few columns.
template <class Scalar, class Const, class Target>
void add_few(Scalar scale, const Const& A, const Const& B, Target C) {
  const int width = to_int(A.cols()), stride = to_int(A.outerStride());
  for_each_row_tile(A, [&](Index begin, int size, const Scalar* rows) {
    for (Index k = 0; k < C.cols(); ++k)
      gemv(CblasNoTrans, size, width, scale, rows, stride, B.col(k).data(), &C(begin, k));
  });
}

/// C += scale · AᵀB
template <class Scalar, class Const, class Target>
void add_few_transposed(Scalar scale, const Const& A, const Const& B, Target C) {
  const int width = to_int(A.cols()), stride = to_int(A.outerStride());
  for_each_row_tile(A, [&](Index begin, int size, const Scalar* rows) {
    for (Index k = 0; k < C.cols(); ++k)
      gemv(CblasTrans, size, width, scale, rows, stride, B.col(k).data() + begin, &C(0, k));
  });
}

/// C += scale · AB, or AᵀB.
template <class Scalar, class Const, class Target>
void add_many(Scalar scale, const Const& A, CBLAS_TRANSPOSE transposed, const Const& B, Target C) {
  const BlasCall call;
  add_gemm(transposed, to_int(C.rows()), to_int(C.cols()), to_int(B.rows()), scale, A.data(), to_int(A.outerStride()),
           B.data(), to_int(B.outerStride()), C.data(), to_int(C.outerStride()));
}

/// C += scale · AB
template <class Scalar, class Const, class Target>
void add_products(Scalar scale, const Const& A, const Const& B, Target& C, int threads) {
  if (A.size() == 0 || B.size() == 0) return;
  const double cost = static_cast<double>(A.cols() * B.cols());
  parallel_for(C.rows(), threads, cost, [&](Index begin, Index end) {
    const Const rows = A.middleRows(begin, end - begin);
    const Target sums = C.middleRows(begin, end - begin);
    if (C.cols() <= kFewColumns) add_few(scale, rows, B, sums);
    else add_many(scale, rows, CblasNoTrans, B, sums);
  });
}

/// C += scale · AᵀB
template <class Scalar, class Const, class Target>
void add_transposed_products(Scalar scale, const Const& A, const Const& B, Target& C, int threads) {
  if (A.size() == 0 || B.size() == 0) return;
  const double cost = static_cast<double>(A.rows() * B.cols());
  parallel_for(C.rows(), threads, cost, [&](Index begin, Index end) {
    const Const columns = A.middleCols(begin, end - begin);
    const Target sums = C.middleRows(begin, end - begin);
    if (C.cols() <= kFewColumns) add_few_transposed(scale, columns, B, sums);
    else add_many(scale, columns, CblasTrans, B, sums);
  });
}

/// B ← B L⁻ᵀ for the rows that lie below a factored tile.
template <class Tile, class Rows>
void solve_below_tile(const Tile& tile, Rows B, int threads) {
  const double cost = static_cast<double>(B.cols() * B.cols());
  parallel_for(B.rows(), threads, cost, [&](Index begin, Index end) {
    const BlasCall call;
    trsm(to_int(end - begin), to_int(B.cols()), tile.data(), to_int(tile.outerStride()), B.data() + begin,
         to_int(B.outerStride()));
  });
}

/// C −= U Vᵀ
template <class Columns, class Target>
void subtract_outer_product(const Columns& U, const Columns& V, Target& C, int threads) {
  if (U.cols() == 0 || C.cols() == 0) return;
  parallel_for(C.rows(), threads, static_cast<double>(U.cols() * C.cols()), [&](Index begin, Index end) {
    const BlasCall call;
    gemm(to_int(end - begin), to_int(C.cols()), to_int(U.cols()), -1, U.data() + begin, to_int(U.outerStride()),
         V.data(), to_int(V.outerStride()), 1, C.data() + begin, to_int(C.outerStride()));
  });
}

/// Right-looking by tiles: factor the diagonal tile, solve the rows below it, update the rest.
template <class Target>
bool cholesky_by_tiles(Target& A, int threads) {
  const Index n = A.rows();
  if (threads == 1 || n <= 2 * kTile) return cholesky_of_tile<Target>(A);
  for (Index k = 0; k < n; k += kTile) {
    const Index width = std::min(kTile, n - k), rest = n - k - width;
    if (!cholesky_of_tile<Target>(A.block(k, k, width, width))) return false;
    if (rest == 0) break;
    const Target tile = A.block(k, k, width, width), below = A.block(k + width, k, rest, width);
    Target corner = A.block(k + width, k + width, rest, rest);
    solve_below_tile(tile, below, threads);
    rank_k_triangle(-1, below, 1, corner, threads);
  }
  return true;
}

}  // namespace

void symmetric_product(Index n, const double* K, const double* v, double* out) {
  const BlasCall call;
  cblas_dsymv(CblasColMajor, CblasLower, to_int(n), 1.0, K, to_int(n), v, 1, 0.0, out, 1);
}

void subtract_product(ConstMatrixRef U, ConstMatrixRef V, MatrixRef C, int threads) {
  subtract_outer_product(U, V, C, threads);
}
void subtract_product(ConstRoughRef U, ConstRoughRef V, RoughRef C, int threads) {
  subtract_outer_product(U, V, C, threads);
}

void divide_by_transposed(ConstMatrixRef L, MatrixRef B, int threads) { solve_below_tile(L, B, threads); }
void divide_by_transposed(ConstRoughRef L, RoughRef B, int threads) { solve_below_tile(L, B, threads); }

void multiply_by_upper(double scale, ConstMatrixRef A, MatrixRef B) {
  const BlasCall call;
  cblas_dtrmm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, to_int(B.rows()), to_int(B.cols()),
              scale, A.data(), to_int(A.outerStride()), B.data(), to_int(B.outerStride()));
}

void multiply_by_transposed_lower(ConstMatrixRef L, MatrixRef B) {
  const BlasCall call;
  cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, to_int(B.rows()), to_int(B.cols()), 1,
              L.data(), to_int(L.outerStride()), B.data(), to_int(B.outerStride()));
}

void add_product(double scale, ConstMatrixRef A, ConstMatrixRef B, MatrixRef C, int threads) {
  add_products(scale, A, B, C, threads);
}
void add_product(float scale, ConstRoughRef A, ConstRoughRef B, RoughRef C, int threads) {
  add_products(scale, A, B, C, threads);
}

void add_transposed_product(double scale, ConstMatrixRef A, ConstMatrixRef B, MatrixRef C, int threads) {
  add_transposed_products(scale, A, B, C, threads);
}
void add_transposed_product(float scale, ConstRoughRef A, ConstRoughRef B, RoughRef C, int threads) {
  add_transposed_products(scale, A, B, C, threads);
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

void solve_lower(ConstMatrixRef L, MatrixRef V, bool transposed) {
  if (L.size() == 0) return;
  const BlasCall call;
  const CBLAS_TRANSPOSE as = transposed ? CblasTrans : CblasNoTrans;
  if (V.cols() > kFewColumns) {
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, as, CblasNonUnit, to_int(V.rows()), to_int(V.cols()), 1, L.data(),
                to_int(L.outerStride()), V.data(), to_int(V.outerStride()));
    return;
  }
  for (Index k = 0; k < V.cols(); ++k)
    cblas_dtrsv(CblasColMajor, CblasLower, as, CblasNonUnit, to_int(L.rows()), L.data(), to_int(L.outerStride()),
                V.col(k).data(), 1);
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

void symmetric_rank_k(float scale, ConstRoughRef U, RoughRef A, int threads) {
  if (U.cols() > 0 && A.rows() > 0) rank_k_triangle(scale, U, 1, A, threads);
}

void outer_products(ConstMatrixRef U, MatrixRef A, int threads) {
  if (A.rows() > 0) rank_k_triangle(1, U, 0, A, threads);
}

void outer_products(ConstRoughRef U, RoughRef A, int threads) {
  if (A.rows() > 0) rank_k_triangle(1, U, 0, A, threads);
}

bool cholesky(MatrixRef A, int threads) { return cholesky_by_tiles(A, threads); }
bool cholesky(RoughRef A, int threads) { return cholesky_by_tiles(A, threads); }

void cholesky_solve(ConstMatrixRef factor, MatrixRef B) {
  const BlasCall call;
  const int n = to_int(factor.rows()), columns = to_int(B.cols());
  const int factor_stride = to_int(factor.outerStride()), stride = to_int(B.outerStride());
  int info = 0;
  dpotrs_("L", &n, &columns, factor.data(), &factor_stride, B.data(), &stride, &info);
}

void cholesky_solve(ConstRoughRef factor, RoughRef B) {
  const BlasCall call;
  const int n = to_int(factor.rows()), columns = to_int(B.cols());
  const int factor_stride = to_int(factor.outerStride()), stride = to_int(B.outerStride());
  int info = 0;
  spotrs_("L", &n, &columns, factor.data(), &factor_stride, B.data(), &stride, &info);
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
