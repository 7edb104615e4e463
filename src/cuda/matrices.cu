// Entries of many symmetric matrices: diagonals, those of some samples, and sums of all.
#include <algorithm>

#include "tiles.cuh"

namespace spicymkl::cuda {

namespace {

template <class Number>
__global__ void copy_diagonals(const Number* const* matrices, std::int64_t n, std::int64_t stride, double* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[blockIdx.y * n + i] = static_cast<double>(matrices[blockIdx.y][i * stride + i]);
}

template <class Number>
__global__ void gather_entries(const Number* const* matrices, std::int64_t stride, const std::int64_t* places,
                               std::int64_t n_places, std::int64_t out_stride, Number* const* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= n_places) return;
  const std::int64_t from = places[i];
  for (std::int64_t j = blockIdx.y; j < n_places; j += gridDim.y)
    out[blockIdx.z][j * out_stride + i] = matrices[blockIdx.z][places[j] * stride + from];
}

/// Lower triangle of A += Σ weights_k K_k, a block for kAddRows × kAddColumns entries.
constexpr int kAddRows = 256, kAddColumns = 4;

template <class Number>
__global__ void __launch_bounds__(kAddRows)
    add_sums(const Number* const* matrices, const double* weights, std::int64_t count, std::int64_t n,
             std::int64_t stride, double* A, std::int64_t stride_A) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(kAddRows) + threadIdx.x;
  const std::int64_t first = blockIdx.y * static_cast<std::int64_t>(kAddColumns);
  if (i >= n || first > i) return;
  const int columns = static_cast<int>(min(static_cast<std::int64_t>(kAddColumns), i - first + 1));
  double sums[kAddColumns] = {};
#pragma unroll 2
  for (std::int64_t k = 0; k < count; ++k) {
    const Number* matrix = matrices[k] + first * stride + i;
    const double weight = weights[k];
#pragma unroll
    for (int c = 0; c < kAddColumns; ++c)
      if (c < columns) sums[c] += weight * static_cast<double>(__ldg(matrix + c * stride));
  }
#pragma unroll
  for (int c = 0; c < kAddColumns; ++c)
    if (c < columns) A[(first + c) * stride_A + i] += sums[c];
}

/// The upper triangle of A as the lower one is, tile by tile.
constexpr int kMirrorTile = 32, kMirrorRows = 8;

__global__ void mirror(double* A, std::int64_t n, std::int64_t stride) {
  __shared__ double tile[kMirrorTile][kMirrorTile + 1];
  const std::int64_t row = blockIdx.x * static_cast<std::int64_t>(kMirrorTile);
  const std::int64_t column = blockIdx.y * static_cast<std::int64_t>(kMirrorTile);
  if (row < column) return;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kMirrorTile; y += kMirrorRows)
    if (row + x < n && column + y < n) tile[y][x] = A[(column + y) * stride + row + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kMirrorTile; y += kMirrorRows)
    if (column + x < row + y && row + y < n) A[(row + y) * stride + column + x] = tile[x][y];
}

}  // namespace

void diagonals(spicymkl_device& device, const spicymkl_device_set& set, double* out) {
  for (std::int64_t first = 0; first < set.count; first += kMostGroups) {
    spicymkl_device_set part = set;
    part.matrices += first;
    part.count = std::min(kMostGroups, set.count - first);
    const auto size = static_cast<std::size_t>(set.n * part.count);
    double* result = device.workspace<double>(kResult, size);
    by_type(part, [&](auto number) {
      const dim3 grid(blocks_for(set.n, kThreads), static_cast<unsigned>(part.count));
      copy_diagonals<decltype(number)><<<grid, kThreads, 0, device.stream>>>(
          send_pointers<decltype(number)>(device, part), set.n, set.stride, result);
    });
    launched("diagonals");
    get(device, out + first * set.n, result, size);
  }
}

void gather(spicymkl_device& device, const spicymkl_device_set& set, const std::int64_t* places, std::int64_t n_places,
            std::int64_t stride, void* const* out) {
  constexpr unsigned kColumnBlocks = 1024;
  const std::int64_t* chosen = put(device, kPlaces, places, static_cast<std::size_t>(n_places));
  for (std::int64_t first = 0; first < set.count; first += kMostGroups) {
    spicymkl_device_set part = set;
    part.matrices += first;
    part.count = std::min(kMostGroups, set.count - first);
    by_type(part, [&](auto number) {
      using Number = decltype(number);
      auto* targets =
          reinterpret_cast<Number* const*>(put(device, kResult, out + first, static_cast<std::size_t>(part.count)));
      const dim3 grid(blocks_for(n_places, kThreads), std::min(kColumnBlocks, static_cast<unsigned>(n_places)),
                      static_cast<unsigned>(part.count));
      gather_entries<Number><<<grid, kThreads, 0, device.stream>>>(send_pointers<Number>(device, part), set.stride,
                                                                   chosen, n_places, stride, targets);
    });
    launched("gathering samples");
  }
}

void add_weighted(spicymkl_device& device, const spicymkl_device_set& set, const double* weights, double* A,
                  std::int64_t stride) {
  if (set.count == 0) return;
  const double* factors = put(device, kWeights, weights, static_cast<std::size_t>(set.count));
  by_type(set, [&](auto number) {
    const dim3 grid(blocks_for(set.n, kAddRows), blocks_for(set.n, kAddColumns));
    add_sums<decltype(number)><<<grid, kAddRows, 0, device.stream>>>(send_pointers<decltype(number)>(device, set),
                                                                     factors, set.count, set.n, set.stride, A, stride);
  });
  launched("adding kernels up");
}

void weighted_sum(spicymkl_device& device, const spicymkl_device_set& set, const double* weights, bool add,
                  std::int64_t stride, double* out) {
  if (!add)
    check(cudaMemsetAsync(out, 0, static_cast<std::size_t>(stride * set.n) * sizeof(double), device.stream),
          "clearing a matrix");
  add_weighted(device, set, weights, out, stride);
  const unsigned tiles = blocks_for(set.n, kMirrorTile);
  mirror<<<dim3(tiles, tiles), dim3(kMirrorTile, kMirrorRows), 0, device.stream>>>(out, set.n, stride);
  launched("adding kernels up");
}

}  // namespace spicymkl::cuda
