#include "columns.cuh"

#include <algorithm>

namespace spicymkl::cuda {

namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kColumnsAtOnce = 4;       // that share the reading of the vectors
constexpr std::int64_t kChunk = 16384;  // rows whose sums are kept apart
constexpr int kWeightsAtOnce = 256;     // in shared memory

/// partial(chunk, p, c) = what the rows of a chunk add to the product of column c and vector p, of `width` vectors that
/// share the reading of the columns.
template <int width>
__global__ void __launch_bounds__(kThreads) sum_chunks(Columns columns, const double* V, double* partial) {
  __shared__ double of_warps[width][kColumnsAtOnce][kWarps];
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(kColumnsAtOnce);
  const std::int64_t begin = blockIdx.y * kChunk, end = min(begin + kChunk, columns.n);
  const double* at[kColumnsAtOnce];
  double sums[width][kColumnsAtOnce] = {};
#pragma unroll
  for (int c = 0; c < kColumnsAtOnce; ++c) at[c] = columns.columns[min(first + c, columns.count - 1)];
#pragma unroll 4
  for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
    double factors[width];
#pragma unroll
    for (int p = 0; p < width; ++p) factors[p] = V[p * columns.n + i];
#pragma unroll
    for (int c = 0; c < kColumnsAtOnce; ++c) {
      const double value = __ldg(at[c] + i);
#pragma unroll
      for (int p = 0; p < width; ++p) sums[p][c] += factors[p] * value;
    }
  }
#pragma unroll
  for (int p = 0; p < width; ++p)
#pragma unroll
    for (int c = 0; c < kColumnsAtOnce; ++c) {
      double sum = sums[p][c];
      for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
      if (threadIdx.x % 32 == 0) of_warps[p][c][threadIdx.x / 32] = sum;
    }
  __syncthreads();
  const int p = threadIdx.x / kColumnsAtOnce, c = threadIdx.x % kColumnsAtOnce;
  if (p >= width || first + c >= columns.count) return;
  double sum = 0;
  for (int warp = 0; warp < kWarps; ++warp) sum += of_warps[p][c][warp];
  partial[(blockIdx.y * width + p) * columns.count + first + c] = sum;
}

__global__ void add_chunks(Columns columns, const double* partial, std::int64_t chunks, double* out,
                           std::int64_t stride) {
  const std::int64_t c = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (c >= columns.count) return;
  const std::int64_t p = blockIdx.y, width = gridDim.y;
  double sum = 0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += partial[(chunk * width + p) * columns.count + c];
  out[p * stride + c] = columns.scales == nullptr ? sum : columns.scales[c] * sum;
}

/// One row a thread, all columns of a group one after the other; blockIdx.z counts parts of `width` vectors, which
/// share the reading of the columns.
template <int width>
__global__ void __launch_bounds__(kThreads) combine(Columns columns, const std::int64_t* ends, const double* W,
                                                    std::int64_t stride, std::int64_t all, double* out) {
  __shared__ double weights[width][kWeightsAtOnce];
  __shared__ const double* at[kWeightsAtOnce];
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x, first_p = blockIdx.z * width;
  const std::int64_t begin = ends[blockIdx.y], end = ends[blockIdx.y + 1];
  double sums[width] = {};
  for (std::int64_t first = begin; first < end; first += kWeightsAtOnce) {
    const int count = static_cast<int>(min(static_cast<std::int64_t>(kWeightsAtOnce), end - first));
    __syncthreads();
    if (threadIdx.x < count) {
      const std::int64_t c = first + threadIdx.x;
#pragma unroll
      for (int p = 0; p < width; ++p)
        weights[p][threadIdx.x] = W[(first_p + p) * stride + c] * (columns.scales == nullptr ? 1 : columns.scales[c]);
      at[threadIdx.x] = columns.columns[c];
    }
    __syncthreads();
    if (i >= columns.n) continue;
#pragma unroll 8
    for (int c = 0; c < count; ++c) {
      const double value = __ldg(at[c] + i);
#pragma unroll
      for (int p = 0; p < width; ++p) sums[p] += weights[p][c] * value;
    }
  }
  if (i >= columns.n) return;
#pragma unroll
  for (int p = 0; p < width; ++p) out[(blockIdx.y * all + first_p + p) * columns.n + i] = sums[p];
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

/// out_c(i) = column_c(places_i), a column for every block of the second dimension.
__global__ void __launch_bounds__(kThreads)
    gather_places(Columns columns, const std::int64_t* places, std::int64_t n_places, double* const* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kThreads) + threadIdx.x;
  if (i >= n_places) return;
  const std::int64_t from = places[i];
  for (std::int64_t c = blockIdx.y; c < columns.count; c += gridDim.y) out[c][i] = __ldg(columns.columns[c] + from);
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
  double* partial = device.workspace<double>(kPartial, static_cast<std::size_t>(2 * chunks * columns.count));
  const dim3 grid(blocks_for(columns.count, kColumnsAtOnce), static_cast<unsigned>(chunks));
  for (std::int64_t p = 0; p < width; p += 2) {
    const bool two = p + 1 < width;
    if (two) sum_chunks<2><<<grid, kThreads, 0, device.stream>>>(columns, V + p * columns.n, partial);
    else sum_chunks<1><<<grid, kThreads, 0, device.stream>>>(columns, V + p * columns.n, partial);
    launched("sums of features");
    const dim3 sums(blocks_for(columns.count, kThreads), two ? 2 : 1);
    add_chunks<<<sums, kThreads, 0, device.stream>>>(columns, partial, chunks, out + p * stride, stride);
    launched("sums of features");
  }
}

void column_products(spicymkl_device& device, const Columns& columns, const std::int64_t* ends, std::int64_t groups,
                     const double* W, std::int64_t stride, std::int64_t width, double* out) {
  const bool pairs = width % 2 == 0;
  const dim3 grid(blocks_for(columns.n, kThreads), static_cast<unsigned>(groups),
                  static_cast<unsigned>(pairs ? width / 2 : width));
  if (pairs) combine<2><<<grid, kThreads, 0, device.stream>>>(columns, ends, W, stride, width, out);
  else combine<1><<<grid, kThreads, 0, device.stream>>>(columns, ends, W, stride, width, out);
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

void gather_rows(spicymkl_device& device, const spicymkl_device_factors& factors, const std::int64_t* places,
                 std::int64_t n_places, double* const* out) {
  constexpr std::size_t kColumnBlocks = 1024;
  const std::vector<const double*> columns = columns_of(factors);
  if (columns.empty() || n_places == 0) return;
  std::vector<double*> targets;
  for (std::int64_t k = 0; k < factors.count; ++k)
    for (std::int64_t j = 0; j < factors.widths[k]; ++j) targets.push_back(out[k] + j * n_places);
  const Columns sent{put(device, kPointers, columns.data(), columns.size()), nullptr,
                     static_cast<std::int64_t>(columns.size()), factors.n};
  const std::int64_t* chosen = put(device, kPlaces, places, static_cast<std::size_t>(n_places));
  double* const* to = put(device, kResult, targets.data(), targets.size());
  const dim3 grid(blocks_for(n_places, kThreads), static_cast<unsigned>(std::min(columns.size(), kColumnBlocks)));
  gather_places<<<grid, kThreads, 0, device.stream>>>(sent, chosen, n_places, to);
  launched("gathering rows");
  device.finish();
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
