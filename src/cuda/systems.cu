#include "systems.cuh"

#include <algorithm>

namespace spicymkl::cuda {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kBlockNumbers = 1 << 27;  // of scaled features at a time: a gigabyte
constexpr std::int64_t kFewColumns = 4;          // are solved for one by one sooner than all together

__global__ void add_to_diagonal(double* A, std::int64_t n, std::int64_t stride, const double* diagonal, double every) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) A[i * stride + i] += diagonal == nullptr ? every : diagonal[i];
}

/// flag ← 1 where a number on the diagonal is not finite.
__global__ void find_bad_pivots(const double* A, std::int64_t n, std::int64_t stride, int* flag) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < n && !isfinite(A[i * stride + i])) *flag = 1;
}

/// block(i, c) = U(first + i, c)/√d, for rows [first, first + rows); largest ← the largest squared norm of a row.
__global__ void __launch_bounds__(kThreads) scale_rows(Columns U, const double* diagonal, std::int64_t first,
                                                       std::int64_t rows, double* block,
                                                       unsigned long long* largest) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  if (i >= rows) return;
  const double scale = 1 / sqrt(diagonal[first + i]);
  double square = 0;
#pragma unroll 8
  for (std::int64_t c = 0; c < U.count; ++c) {
    const double value = scale * U.scales[c] * __ldg(U.columns[c] + first + i);
    block[c * rows + i] = value;
    square += value * value;
  }
  // Numbers that are not negative are ordered as their bits are, and NaN is beyond them all.
  atomicMax(largest, static_cast<unsigned long long>(__double_as_longlong(fabs(square))));
}

/// block(i, c) = U(i, c), for columns [first, first + gridDim.y).
__global__ void __launch_bounds__(kThreads) scale_columns(Columns U, std::int64_t first, double* block) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x, c = blockIdx.y;
  if (i < U.n) block[c * U.n + i] = U.scales[first + c] * __ldg(U.columns[first + c] + i);
}

__global__ void divide(const double* from, const double* diagonal, std::int64_t n, std::int64_t size, double* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < size) out[i] = from[i] / diagonal[i % n];
}

/// x −= image/d
__global__ void subtract_divided(double* x, const double* image, const double* diagonal, std::int64_t n,
                                 std::int64_t size) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < size) x[i] -= image[i] / diagonal[i % n];
}

/// residual = rhs − d·x − image
__global__ void residual_of(const double* rhs, const double* x, const double* image, const double* diagonal,
                            std::int64_t n, std::int64_t size, double* residual) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < size) residual[i] = rhs[i] - diagonal[i % n] * x[i] - image[i];
}

__global__ void add(double* x, const double* y, std::int64_t size) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < size) x[i] += y[i];
}

double* copy_to(Workspace& workspace, spicymkl_device& device, const double* from, std::size_t count) {
  double* to = workspace.numbers<double>(count, device.stream);
  check(cudaMemcpyAsync(to, from, count * sizeof(double), cudaMemcpyHostToDevice, device.stream), "sending numbers");
  return to;
}

}  // namespace

bool cholesky(spicymkl_device& device, double* A, std::int64_t n, std::int64_t stride) {
  std::size_t on_device = 0, in_process = 0;
  check(cusolverDnXpotrf_bufferSize(device.solver, device.solver_parameters, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, A,
                                    stride, CUDA_R_64F, &on_device, &in_process),
        "planning a factorisation");
  device.solver_host.resize(std::max(device.solver_host.size(), in_process));
  char* work = device.workspace<char>(kSolver, on_device);
  int* info = device.workspace<int>(kDescriptions, 2);
  check(cudaMemsetAsync(info, 0, 2 * sizeof(int), device.stream), "factoring");
  check(cusolverDnXpotrf(device.solver, device.solver_parameters, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F, A, stride,
                         CUDA_R_64F, work, on_device, device.solver_host.data(), in_process, info),
        "factoring");
  find_bad_pivots<<<blocks_for(n, kThreads), kThreads, 0, device.stream>>>(A, n, stride, info + 1);
  launched("factoring");
  int results[2] = {};
  get(device, results, info, 2);
  return results[0] == 0 && results[1] == 0;
}

void cholesky_solve(spicymkl_device& device, const double* L, std::int64_t n, std::int64_t stride, double* rhs,
                    std::int64_t width) {
  if (width <= kFewColumns) {  // every other one on the second stream: one alone does not fill the device
    check(cudaEventRecord(device.first_is_there, device.stream), "solving");
    check(cudaStreamWaitEvent(device.second_stream, device.first_is_there), "solving");
    for (std::int64_t p = 0; p < width; ++p)
      for (const cublasOperation_t part : {CUBLAS_OP_N, CUBLAS_OP_T})
        check(cublasDtrsv_64(p % 2 == 0 ? device.blas : device.second_blas, CUBLAS_FILL_MODE_LOWER, part,
                             CUBLAS_DIAG_NON_UNIT, n, L, stride, rhs + p * n, 1),
              "solving");
    check(cudaEventRecord(device.second_is_there, device.second_stream), "solving");
    check(cudaStreamWaitEvent(device.stream, device.second_is_there), "solving");
    return;
  }
  int* info = device.workspace<int>(kDescriptions, 1);
  check(cusolverDnXpotrs(device.solver, device.solver_parameters, CUBLAS_FILL_MODE_LOWER, n, width, CUDA_R_64F, L,
                         stride, CUDA_R_64F, rhs, n, info),
        "solving");
}

SampleSystem::SampleSystem(spicymkl_device& of, std::int64_t n)
    : spicymkl_device_system(of),
      n_(n),
      matrix_(memory_.numbers<double>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), of.stream)) {}

void SampleSystem::set_diagonal(const double* diagonal) {
  const auto n = static_cast<std::size_t>(n_);
  check(cudaMemsetAsync(matrix_, 0, n * n * sizeof(double), device.stream), "clearing a matrix");
  const double* sent = put(device, kVectors, diagonal, n);
  add_to_diagonal<<<blocks_for(n_, kThreads), kThreads, 0, device.stream>>>(matrix_, n_, n_, sent, 0);
  launched("setting a diagonal");
}

void SampleSystem::add_matrices(const spicymkl_device_set& set, const double* weights) {
  add_weighted(device, set, weights, matrix_, n_);
}

void SampleSystem::add_factors(const spicymkl_device_factors& factors, const double* roots) {
  constexpr std::int64_t kMostColumns = 65535;  // of one launch
  const std::vector<const double*> columns = columns_of(factors);
  const auto count = static_cast<std::int64_t>(columns.size());
  if (count == 0) return;
  const Columns U{put(device, kPointers, columns.data(), columns.size()), put(device, kWeights, roots, columns.size()),
                  count, n_};
  const std::int64_t at_once = std::clamp<std::int64_t>(kBlockNumbers / n_, 1, std::min(count, kMostColumns));
  double* block = device.workspace<double>(kPartial, static_cast<std::size_t>(at_once * n_));
  const double one = 1;
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t width = std::min(at_once, count - first);
    const dim3 grid(blocks_for(n_, kThreads), static_cast<unsigned>(width));
    scale_columns<<<grid, kThreads, 0, device.stream>>>(U, first, block);
    launched("scaling features");
    check(cublasDsyrk_64(device.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n_, width, &one, block, n_, &one, matrix_,
                         n_),
          "products of features");
  }
}

void SampleSystem::add_columns(const double* U, std::int64_t width, double sign) {
  if (width == 0) return;
  const double* columns = put(device, kVectors, U, static_cast<std::size_t>(n_ * width));
  const double one = 1;
  check(cublasDsyrk_64(device.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n_, width, &sign, columns, n_, &one, matrix_,
                       n_),
        "adding columns");
}

void SampleSystem::factor() {
  if (!cholesky(device, matrix_, n_, n_))
    throw Failure{SPICYMKL_DEVICE_NOT_DEFINITE, "the matrix is not positive definite"};
}

void SampleSystem::solve(double* rhs, std::int64_t width) {
  const auto size = static_cast<std::size_t>(n_ * width);
  double* x = put(device, kVectors, rhs, size);
  cholesky_solve(device, matrix_, n_, n_, x, width);
  get(device, rhs, x, size);
}

void RankSystem::send(const spicymkl_device_factors& factors, const double* roots, const double* diagonal,
                      const double* low_rank, std::int64_t low_rank_width) {
  const std::int64_t n = factors.n;
  const double* extra = copy_to(low_ranks_, device, low_rank, static_cast<std::size_t>(n * low_rank_width));
  std::vector<const double*> columns = columns_of(factors);
  std::vector<double> scales(roots, roots + columns.size());
  for (std::int64_t j = 0; j < low_rank_width; ++j) columns.push_back(extra + j * n);
  scales.resize(columns.size(), 1);
  const double** pointers = pointers_.numbers<const double*>(columns.size(), device.stream);
  check(cudaMemcpyAsync(pointers, columns.data(), columns.size() * sizeof(double*), cudaMemcpyHostToDevice,
                        device.stream),
        "sending pointers");
  const auto count = static_cast<std::int64_t>(columns.size());
  const std::int64_t all[2] = {0, count};
  auto* ends = all_.numbers<std::int64_t>(2, device.stream);
  check(cudaMemcpyAsync(ends, all, sizeof(all), cudaMemcpyHostToDevice, device.stream), "sending numbers");
  ends_ = ends;
  U_ = {pointers, copy_to(scales_, device, scales.data(), scales.size()), count, n};
  diagonal_ = copy_to(diagonals_, device, diagonal, static_cast<std::size_t>(n));
}

double RankSystem::assemble() {
  const std::int64_t n = U_.n, size = U_.count, at_once = std::clamp<std::int64_t>(kBlockNumbers / size, 1, n);
  const auto entries = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  capacity_ = capacities_.numbers<double>(entries, device.stream);
  check(cudaMemsetAsync(capacity_, 0, entries * sizeof(double), device.stream), "clearing a matrix");
  double* block = device.workspace<double>(kPartial, static_cast<std::size_t>(at_once * size));
  auto* largest = device.workspace<unsigned long long>(kTerms, 1);
  check(cudaMemsetAsync(largest, 0, sizeof(*largest), device.stream), "clearing a number");
  const double one = 1;
  for (std::int64_t first = 0; first < n; first += at_once) {
    const std::int64_t rows = std::min(at_once, n - first);
    scale_rows<<<blocks_for(rows, kThreads), kThreads, 0, device.stream>>>(U_, diagonal_, first, rows, block, largest);
    launched("scaling features");
    check(cublasDsyrk_64(device.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, size, rows, &one, block, rows, &one,
                         capacity_, size),
          "products of features");
  }
  add_to_diagonal<<<blocks_for(size, kThreads), kThreads, 0, device.stream>>>(capacity_, size, size, nullptr, 1);
  launched("adding the identity");
  double ratio = 0;
  get(device, &ratio, reinterpret_cast<const double*>(largest), 1);
  return ratio;
}

void RankSystem::factor(const spicymkl_device_factors& factors, const double* roots, const double* diagonal,
                        const double* low_rank, std::int64_t low_rank_width, double limit, double& largest) {
  send(factors, roots, diagonal, low_rank, low_rank_width);
  largest = assemble();
  if (!(largest < limit) || !cholesky(device, capacity_, U_.count, U_.count))
    throw Failure{SPICYMKL_DEVICE_NOT_DEFINITE, "the matrix is not positive definite"};
}

void RankSystem::once(const double* rhs, std::int64_t width, double* x) {
  const std::int64_t size = U_.n * width;
  double* y = device.workspace<double>(kWeights, static_cast<std::size_t>(U_.count * width));
  double* image = device.workspace<double>(kResult, static_cast<std::size_t>(size));
  const unsigned blocks = blocks_for(size, kThreads);
  divide<<<blocks, kThreads, 0, device.stream>>>(rhs, diagonal_, U_.n, size, x);
  launched("solving");
  sums(x, width, y);
  cholesky_solve(device, capacity_, U_.count, U_.count, y, width);
  combine(y, width, image);
  subtract_divided<<<blocks, kThreads, 0, device.stream>>>(x, image, diagonal_, U_.n, size);
  launched("solving");
}

void RankSystem::solve(double* rhs, std::int64_t width, bool refine) {
  const std::int64_t size = U_.n * width;
  const auto numbers = static_cast<std::size_t>(size);
  const unsigned blocks = blocks_for(size, kThreads);
  double* given = put(device, kVectors, rhs, numbers);
  double* x = vectors_.numbers<double>(3 * numbers, device.stream);
  double *residual = x + size, *correction = x + 2 * size;
  once(given, width, x);
  if (refine) {
    double* y = device.workspace<double>(kWeights, static_cast<std::size_t>(U_.count * width));
    double* image = device.workspace<double>(kResult, numbers);
    sums(x, width, y);
    combine(y, width, image);
    residual_of<<<blocks, kThreads, 0, device.stream>>>(given, x, image, diagonal_, U_.n, size, residual);
    launched("solving");
    once(residual, width, correction);
    add<<<blocks, kThreads, 0, device.stream>>>(x, correction, size);
    launched("solving");
  }
  get(device, rhs, x, numbers);
}

}  // namespace spicymkl::cuda
