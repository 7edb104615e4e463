#include "systems.cuh"

#include <algorithm>

namespace spicymkl::cuda {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kBlockNumbers = 1 << 27;  // of scaled features at a time: a gigabyte
constexpr std::int64_t kFewColumns = 4;          // are solved for one by one sooner than all together
constexpr std::int64_t kWide = 1024;             // factors whose products are better made of few digits
constexpr std::int64_t kRowsOfSum = 8192;        // summed in single precision before they are added up in double
constexpr std::int64_t kPanelColumns = 1024;     // of a symmetric product, of which half is computed
constexpr std::int64_t kAlign = 8;               // numbers that columns of single precision begin at multiples of
constexpr double kAccuracy = 1e-4;               // of solutions by conjugate gradients, in the norm of the matrix
constexpr double kFewDigits = 3e-2;              // where a step is only shaped
constexpr int kMostSteps = 25;                   // of these, before the matrix is made in double precision after all

__global__ void add_to_diagonal(double* A, std::int64_t n, std::int64_t stride, const double* diagonal, double every) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) A[i * stride + i] += diagonal == nullptr ? every : diagonal[i];
}

/// flag ← 1 where a number on the diagonal is not finite.
__global__ void find_bad_pivots(const double* A, std::int64_t n, std::int64_t stride, int* flag) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < n && !isfinite(A[i * stride + i])) *flag = 1;
}

__device__ void store(double value, double& to) { to = value; }

/// To the 11 digits that quick products of single precision take: rounded here, and so to the nearest.
__device__ void store(double value, float& to) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(static_cast<float>(value)));
  to = __uint_as_float(bits);
}

/// block(i, c) = U(first + i, c)/√d, for rows [first, first + rows), 0 beyond them; largest ← the largest squared norm
/// of a row.
template <class Number>
__global__ void __launch_bounds__(kThreads)
    scale_rows(Columns U, const double* diagonal, std::int64_t first, std::int64_t rows, std::int64_t stride,
               Number* block, unsigned long long* largest) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  if (i >= stride) return;
  if (i >= rows) {
    for (std::int64_t c = 0; c < U.count; ++c) store(0, block[c * stride + i]);
    return;
  }
  const double scale = 1 / sqrt(diagonal[first + i]);
  double square = 0;
#pragma unroll 8
  for (std::int64_t c = 0; c < U.count; ++c) {
    const double value = scale * U.scales[c] * __ldg(U.columns[c] + first + i);
    store(value, block[c * stride + i]);
    square += value * value;
  }
  // Numbers that are not negative are ordered as their bits are, and NaN is beyond them all.
  atomicMax(largest, static_cast<unsigned long long>(__double_as_longlong(fabs(square))));
}

/// Lower triangle of A += B, both size × size.
__global__ void __launch_bounds__(kThreads)
    add_lower(double* A, const float* B, std::int64_t size, std::int64_t stride_B) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  const std::int64_t end = min(i + 1, size);
  if (i >= size) return;
  for (std::int64_t j = blockIdx.y; j < end; j += gridDim.y)
    A[j * size + i] += static_cast<double>(B[j * stride_B + i]);
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
  send_bytes(device, to, from, count * sizeof(double));
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
    check(
        cublasDsyrk_64(device.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n_, width, &one, block, n_, &one, matrix_, n_),
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
  blocks_.clear();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto first = static_cast<std::int64_t>(j);
    const bool beside = !blocks_.empty() && blocks_.back().scale == scales[j] &&
                        blocks_.back().matrix + blocks_.back().width * n == columns[j];
    if (beside) ++blocks_.back().width;
    else blocks_.push_back({columns[j], scales[j], first, 1});
  }
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

void RankSystem::sums(const double* V, std::int64_t width, double* y) {
  if (width <= kFewColumns) return column_sums(device, U_, V, width, y, U_.count);
  const double none = 0;
  for (const Block& of : blocks_)
    check(cublasDgemm_64(device.blas, CUBLAS_OP_T, CUBLAS_OP_N, of.width, width, U_.n, &of.scale, of.matrix, U_.n, V,
                         U_.n, &none, y + of.first, U_.count),
          "products of features");
}

void RankSystem::combine(const double* y, std::int64_t width, double* out) {
  if (width <= kFewColumns || blocks_.empty()) return column_products(device, U_, ends_, 1, y, U_.count, width, out);
  const double one = 1, none = 0;
  for (const Block& of : blocks_)
    check(cublasDgemm_64(device.blas, CUBLAS_OP_N, CUBLAS_OP_N, U_.n, width, of.width, &of.scale, of.matrix, U_.n,
                         y + of.first, U_.count, of.first == 0 ? &none : &one, out, U_.n),
          "sums of features");
}

void RankSystem::add_block(const double* block, std::int64_t rows) {
  const double one = 1;
  check(cublasDsyrk_64(device.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, U_.count, rows, &one, block, rows, &one,
                       capacity_, U_.count),
        "products of features");
}

void RankSystem::add_rough_block(const float* block, std::int64_t rows, std::int64_t stride) {
  constexpr unsigned kColumnBlocks = 256;
  const std::int64_t size = U_.count, padded = (size + kAlign - 1) / kAlign * kAlign;
  float* sums = rough_sums_.numbers<float>(static_cast<std::size_t>(padded * size), device.stream);
  const float one = 1, none = 0;
  for (std::int64_t first = 0; first < rows; first += kRowsOfSum) {
    const std::int64_t some = std::min(kRowsOfSum, rows - first);
    for (std::int64_t column = 0; column < size; column += kPanelColumns)
      check(
          cublasGemmEx_64(device.blas, CUBLAS_OP_T, CUBLAS_OP_N, size - column, std::min(kPanelColumns, size - column),
                          some, &one, block + column * stride + first, CUDA_R_32F, stride,
                          block + column * stride + first, CUDA_R_32F, stride, &none, sums + column * padded + column,
                          CUDA_R_32F, padded, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT),
          "products of features");
    const dim3 grid(blocks_for(size, kThreads), kColumnBlocks);
    add_lower<<<grid, kThreads, 0, device.stream>>>(capacity_, sums, size, padded);
    launched("products of features");
  }
}

template <class Number>
void RankSystem::add_rows(std::int64_t at_once, unsigned long long* largest) {
  constexpr bool rough = sizeof(Number) == sizeof(float);
  auto* block = device.workspace<Number>(kPartial, static_cast<std::size_t>(at_once * U_.count));
  for (std::int64_t first = 0; first < U_.n; first += at_once) {
    const std::int64_t rows = std::min(at_once, U_.n - first);
    const std::int64_t stride = rough ? (rows + kAlign - 1) / kAlign * kAlign : rows;
    scale_rows<Number><<<blocks_for(stride, kThreads), kThreads, 0, device.stream>>>(U_, diagonal_, first, rows, stride,
                                                                                     block, largest);
    launched("scaling features");
    if constexpr (rough) add_rough_block(block, stride, stride);
    else add_block(block, rows);
  }
}

double RankSystem::assemble(bool rough) {
  const std::int64_t size = U_.count, most = kBlockNumbers / size;
  const auto entries = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  capacity_ = capacities_.numbers<double>(entries, device.stream);
  check(cudaMemsetAsync(capacity_, 0, entries * sizeof(double), device.stream), "clearing a matrix");
  auto* largest = device.workspace<unsigned long long>(kTerms, 1);
  check(cudaMemsetAsync(largest, 0, sizeof(*largest), device.stream), "clearing a number");
  // Twice as many numbers of half the size; whole sums, so that there is no short one in between.
  if (rough)
    add_rows<float>(std::clamp(2 * most / kRowsOfSum, std::int64_t{1}, U_.n / kRowsOfSum + 1) * kRowsOfSum, largest);
  else add_rows<double>(std::clamp<std::int64_t>(most, 1, U_.n), largest);
  add_to_diagonal<<<blocks_for(size, kThreads), kThreads, 0, device.stream>>>(capacity_, size, size, nullptr, 1);
  launched("adding the identity");
  double ratio = 0;
  get(device, &ratio, reinterpret_cast<const double*>(largest), 1);
  return ratio;
}

void RankSystem::factor(const spicymkl_device_factors& factors, const double* roots, const double* diagonal,
                        const double* low_rank, std::int64_t low_rank_width, double limit, double& largest) {
  send(factors, roots, diagonal, low_rank, low_rank_width);
  rough_ = U_.count >= kWide;
  largest = assemble(rough_);
  if (!(largest < limit)) throw Failure{SPICYMKL_DEVICE_NOT_DEFINITE, "the matrix is not positive definite"};
  if (cholesky(device, capacity_, U_.count, U_.count)) return;
  if (!rough_) throw Failure{SPICYMKL_DEVICE_NOT_DEFINITE, "the matrix is not positive definite"};
  factor_in_full();
}

void RankSystem::factor_in_full() {
  rough_ = false;
  assemble(false);
  if (!cholesky(device, capacity_, U_.count, U_.count))
    throw Failure{SPICYMKL_DEVICE_NOT_DEFINITE, "the matrix is not positive definite"};
}

void RankSystem::multiply_capacity(const double* V, std::int64_t width, double* out) {
  const std::int64_t size = U_.n * width;
  double* image = device.workspace<double>(kResult, static_cast<std::size_t>(size));
  combine(V, width, image);
  divide<<<blocks_for(size, kThreads), kThreads, 0, device.stream>>>(image, diagonal_, U_.n, size, image);
  launched("solving");
  sums(image, width, out);
  const std::int64_t entries = U_.count * width;
  add<<<blocks_for(entries, kThreads), kThreads, 0, device.stream>>>(out, V, entries);
  launched("solving");
}

std::vector<double> RankSystem::dots(const double* a, const double* b, std::int64_t rows, std::int64_t width) {
  std::vector<double> results(static_cast<std::size_t>(width));
  for (std::int64_t p = 0; p < width; ++p)
    check(cublasDdot_64(device.blas, rows, a + p * rows, 1, b + p * rows, 1, &results[static_cast<std::size_t>(p)]),
          "solving");
  return results;
}

/// The error of x = D⁻¹(b − Uy) in the norm of the matrix A = D + UUᵀ is at most the length of s − Cy, s = UᵀD⁻¹b, and
/// bᵀA⁻¹b is at least bᵀD⁻¹b − sᵀy − yᵀ(s − Cy) less the square of that.
bool RankSystem::iterate(const double* given, double* y, std::int64_t width, const std::vector<double>& sizes,
                         double accuracy) {
  const std::int64_t size = U_.count, all = size * width;
  const auto bytes = static_cast<std::size_t>(all) * sizeof(double);
  double* residual = gradients_.numbers<double>(static_cast<std::size_t>(4 * all), device.stream);
  double *scaled = residual + all, *along = residual + 2 * all, *image = residual + 3 * all;
  const auto copy = [&](double* to, const double* from) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, device.stream), "solving");
  };
  const auto add_times = [&](double factor, const double* from, double* to, std::int64_t p) {
    check(cublasDaxpy_64(device.blas, size, &factor, from + p * size, 1, to + p * size, 1), "solving");
  };
  copy(y, given);
  cholesky_solve(device, capacity_, size, size, y, width);
  multiply_capacity(y, width, image);
  copy(residual, given);
  for (std::int64_t p = 0; p < width; ++p) add_times(-1, image, residual, p);
  std::vector<double> before(static_cast<std::size_t>(width), 0);
  for (int step = 0; step <= kMostSteps; ++step) {
    const std::vector<double> left = dots(residual, residual, size, width), of_given = dots(given, y, size, width),
                              of_residual = dots(residual, y, size, width);
    bool done = true;
    for (std::size_t p = 0; p < left.size(); ++p)
      done = done && left[p] <= accuracy * accuracy * (sizes[p] - of_given[p] - of_residual[p] - left[p]);
    if (done || step == kMostSteps) return done;
    copy(scaled, residual);
    cholesky_solve(device, capacity_, size, size, scaled, width);
    const std::vector<double> now = dots(residual, scaled, size, width);
    if (step == 0) copy(along, scaled);
    else
      for (std::int64_t p = 0; p < width; ++p) {  // along ← scaled + now/before·along
        const auto at = static_cast<std::size_t>(p);
        const double kept = before[at] > 0 ? now[at] / before[at] : 0;
        check(cublasDscal_64(device.blas, size, &kept, along + p * size, 1), "solving");
        add_times(1, scaled, along, p);
      }
    before = now;
    multiply_capacity(along, width, image);
    const std::vector<double> curvature = dots(along, image, size, width);
    for (std::int64_t p = 0; p < width; ++p) {
      const auto at = static_cast<std::size_t>(p);
      if (!(curvature[at] > 0)) continue;  // nothing is left of this column
      const double factor = now[at] / curvature[at];
      add_times(factor, along, y, p);
      add_times(-factor, image, residual, p);
    }
  }
  return false;
}

void RankSystem::solve_capacity(double* y, std::int64_t width, const std::vector<double>& sizes, double accuracy) {
  if (rough_) {
    const auto bytes = static_cast<std::size_t>(U_.count * width) * sizeof(double);
    double* given = rhs_.numbers<double>(static_cast<std::size_t>(U_.count * width), device.stream);
    check(cudaMemcpyAsync(given, y, bytes, cudaMemcpyDeviceToDevice, device.stream), "solving");
    if (iterate(given, y, width, sizes, accuracy)) return;
    factor_in_full();
    check(cudaMemcpyAsync(y, given, bytes, cudaMemcpyDeviceToDevice, device.stream), "solving");
  }
  cholesky_solve(device, capacity_, U_.count, U_.count, y, width);
}

void RankSystem::once(const double* rhs, std::int64_t width, double* x, double accuracy) {
  const std::int64_t size = U_.n * width;
  double* y = weights_.numbers<double>(static_cast<std::size_t>(U_.count * width), device.stream);
  const unsigned blocks = blocks_for(size, kThreads);
  divide<<<blocks, kThreads, 0, device.stream>>>(rhs, diagonal_, U_.n, size, x);
  launched("solving");
  sums(x, width, y);
  solve_capacity(y, width, rough_ ? dots(rhs, x, U_.n, width) : std::vector<double>(), accuracy);
  double* image = device.workspace<double>(kResult, static_cast<std::size_t>(size));
  combine(y, width, image);
  subtract_divided<<<blocks, kThreads, 0, device.stream>>>(x, image, diagonal_, U_.n, size);
  launched("solving");
}

void RankSystem::solve(double* rhs, std::int64_t width, int how) {
  const std::int64_t size = U_.n * width;
  const auto numbers = static_cast<std::size_t>(size);
  const unsigned blocks = blocks_for(size, kThreads);
  double* given = put(device, kVectors, rhs, numbers);
  double* x = vectors_.numbers<double>(3 * numbers, device.stream);
  double *residual = x + size, *correction = x + 2 * size;
  once(given, width, x, how == SPICYMKL_SOLVE_ROUGHLY ? kFewDigits : kAccuracy);
  if (how == SPICYMKL_SOLVE_REFINED) {
    double* y = device.workspace<double>(kWeights, static_cast<std::size_t>(U_.count * width));
    double* image = device.workspace<double>(kResult, numbers);
    sums(x, width, y);
    combine(y, width, image);
    residual_of<<<blocks, kThreads, 0, device.stream>>>(given, x, image, diagonal_, U_.n, size, residual);
    launched("solving");
    once(residual, width, correction, kAccuracy);
    add<<<blocks, kThreads, 0, device.stream>>>(x, correction, size);
    launched("solving");
  }
  get(device, rhs, x, numbers);
}

}  // namespace spicymkl::cuda
