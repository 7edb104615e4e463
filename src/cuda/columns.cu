#include "columns.cuh"

#include <algorithm>

namespace spicymkl::cuda {

namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kColumnsAtOnce = 4;       // that share the reading of the vectors
constexpr std::int64_t kChunk = 16384;  // rows whose sums are kept apart
constexpr int kWeightsAtOnce = 256;     // in shared memory

/// partial(chunk, c) = what the rows of a chunk add to the sum of column c.
__global__ void __launch_bounds__(kThreads) sum_chunks(Columns columns, const double* v, double* partial) {
  __shared__ double of_warps[kColumnsAtOnce][kWarps];
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(kColumnsAtOnce);
  const std::int64_t begin = blockIdx.y * kChunk, end = min(begin + kChunk, columns.n);
  const double* at[kColumnsAtOnce];
  double sums[kColumnsAtOnce] = {};
#pragma unroll
  for (int c = 0; c < kColumnsAtOnce; ++c) at[c] = columns.columns[min(first + c, columns.count - 1)];
#pragma unroll 4
  for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
    const double factor = v[i];
#pragma unroll
    for (int c = 0; c < kColumnsAtOnce; ++c) sums[c] += factor * __ldg(at[c] + i);
  }
#pragma unroll
  for (int c = 0; c < kColumnsAtOnce; ++c) {
    double sum = sums[c];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0) of_warps[c][threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= kColumnsAtOnce || first + threadIdx.x >= columns.count) return;
  double sum = 0;
  for (int warp = 0; warp < kWarps; ++warp) sum += of_warps[threadIdx.x][warp];
  partial[blockIdx.y * columns.count + first + threadIdx.x] = sum;
}

__global__ void add_chunks(Columns columns, const double* partial, std::int64_t chunks, double* out) {
  const std::int64_t c = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (c >= columns.count) return;
  double sum = 0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += partial[chunk * columns.count + c];
  out[c] = columns.scales == nullptr ? sum : columns.scales[c] * sum;
}

/// One row a thread, all columns of a group one after the other.
__global__ void __launch_bounds__(kThreads) combine(Columns columns, const std::int64_t* ends, const double* W,
                                                    std::int64_t stride, std::int64_t width, double* out) {
  __shared__ double weights[kWeightsAtOnce];
  __shared__ const double* at[kWeightsAtOnce];
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x, p = blockIdx.z;
  const std::int64_t begin = ends[blockIdx.y], end = ends[blockIdx.y + 1];
  double sum = 0;
  for (std::int64_t first = begin; first < end; first += kWeightsAtOnce) {
    const int count = static_cast<int>(min(static_cast<std::int64_t>(kWeightsAtOnce), end - first));
    __syncthreads();
    if (threadIdx.x < count) {
      const std::int64_t c = first + threadIdx.x;
      weights[threadIdx.x] = W[p * stride + c] * (columns.scales == nullptr ? 1 : columns.scales[c]);
      at[threadIdx.x] = columns.columns[c];
    }
    __syncthreads();
    if (i >= columns.n) continue;
#pragma unroll 8
    for (int c = 0; c < count; ++c) sum += weights[c] * __ldg(at[c] + i);
  }
  if (i < columns.n) out[(blockIdx.y * width + p) * columns.n + i] = sum;
}

/// out(i) = Σ_c scales_c·column_c(i)², one row a thread.
__global__ void __launch_bounds__(kThreads) sum_squares(Columns columns, double* out) {
  __shared__ double scales[kWeightsAtOnce];
  __shared__ const double* at[kWeightsAtOnce];
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  double sum = 0;
  for (std::int64_t first = 0; first < columns.count; first += kWeightsAtOnce) {
    const int count = static_cast<int>(min(static_cast<std::int64_t>(kWeightsAtOnce), columns.count - first));
    __syncthreads();
    if (threadIdx.x < count) {
      scales[threadIdx.x] = columns.scales[first + threadIdx.x];
      at[threadIdx.x] = columns.columns[first + threadIdx.x];
    }
    __syncthreads();
    if (i >= columns.n) continue;
#pragma unroll 8
    for (int c = 0; c < count; ++c) {
      const double value = __ldg(at[c] + i);
      sum += scales[c] * value * value;
    }
  }
  if (i < columns.n) out[i] = sum;
}

}  // namespace

std::vector<const double*> columns_of(const spicymkl_device_factors& factors) {
  std::vector<const double*> columns;
  for (std::int64_t k = 0; k < factors.count; ++k)
    for (std::int64_t j = 0; j < factors.widths[k]; ++j) columns.push_back(factors.matrices[k] + j * factors.n);
  return columns;
}

void column_sums(spicymkl_device& device, const Columns& columns, const double* V, std::int64_t width, double* out,
                 std::int64_t stride) {
  if (columns.count == 0) return;
  const std::int64_t chunks = (columns.n + kChunk - 1) / kChunk;
  double* partial = device.workspace<double>(kPartial, static_cast<std::size_t>(chunks * columns.count));
  const dim3 grid(blocks_for(columns.count, kColumnsAtOnce), static_cast<unsigned>(chunks));
  for (std::int64_t p = 0; p < width; ++p) {
    sum_chunks<<<grid, kThreads, 0, device.stream>>>(columns, V + p * columns.n, partial);
    launched("sums of features");
    add_chunks<<<blocks_for(columns.count, kThreads), kThreads, 0, device.stream>>>(columns, partial, chunks,
                                                                                    out + p * stride);
    launched("sums of features");
  }
}

void column_products(spicymkl_device& device, const Columns& columns, const std::int64_t* ends, std::int64_t groups,
                     const double* W, std::int64_t stride, std::int64_t width, double* out) {
  const dim3 grid(blocks_for(columns.n, kThreads), static_cast<unsigned>(groups), static_cast<unsigned>(width));
  combine<<<grid, kThreads, 0, device.stream>>>(columns, ends, W, stride, width, out);
  launched("products of features");
}

void factor_sums(spicymkl_device& device, const spicymkl_device_factors& factors, const double* V, std::int64_t width,
                 double* out) {
  const std::vector<const double*> columns = columns_of(factors);
  const auto count = static_cast<std::int64_t>(columns.size());
  const Columns sent{put(device, kPointers, columns.data(), columns.size()), nullptr, count, factors.n};
  const double* vectors = put(device, kVectors, V, static_cast<std::size_t>(factors.n * width));
  double* result = device.workspace<double>(kResult, static_cast<std::size_t>(count * width));
  column_sums(device, sent, vectors, width, result, count);
  get(device, out, result, static_cast<std::size_t>(count * width));
}

void factor_diagonal(spicymkl_device& device, const spicymkl_device_factors& factors, const double* weights,
                     double* out) {
  const std::vector<const double*> columns = columns_of(factors);
  const Columns sent{put(device, kPointers, columns.data(), columns.size()),
                     put(device, kWeights, weights, columns.size()), static_cast<std::int64_t>(columns.size()),
                     factors.n};
  double* result = device.workspace<double>(kResult, static_cast<std::size_t>(factors.n));
  sum_squares<<<blocks_for(factors.n, kThreads), kThreads, 0, device.stream>>>(sent, result);
  launched("squares of features");
  get(device, out, result, static_cast<std::size_t>(factors.n));
}

void factor_products(spicymkl_device& device, const spicymkl_device_factors& factors, const double* W,
                     std::int64_t width, bool together, double* out) {
  constexpr std::int64_t kMostNumbers = 1 << 27;  // of products that are on the device at a time: a gigabyte
  const std::vector<const double*> columns = columns_of(factors);
  const auto count = static_cast<std::int64_t>(columns.size());
  const Columns sent{put(device, kPointers, columns.data(), columns.size()), nullptr, count, factors.n};
  const double* weights = put(device, kWeights, W, static_cast<std::size_t>(count * width));
  std::vector<std::int64_t> ends(1, 0);
  for (std::int64_t k = 0; k < factors.count; ++k) ends.push_back(ends.back() + factors.widths[k]);
  if (together) ends = {0, count};
  const std::int64_t* sent_ends = put(device, kPlaces, ends.data(), ends.size());
  const std::int64_t groups = static_cast<std::int64_t>(ends.size()) - 1, size = factors.n * width;
  const std::int64_t at_once = std::clamp<std::int64_t>(kMostNumbers / size, 1, groups);
  for (std::int64_t first = 0; first < groups; first += at_once) {
    const std::int64_t some = std::min(at_once, groups - first);
    double* result = device.workspace<double>(kResult, static_cast<std::size_t>(some * size));
    column_products(device, sent, sent_ends + first, some, weights, count, width, result);
    get(device, out + first * size, result, static_cast<std::size_t>(some * size));
  }
}

}  // namespace spicymkl::cuda
