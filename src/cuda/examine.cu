// Whether matrices that others made are symmetric, finite, and not clearly indefinite.
#include <algorithm>

#include "tiles.cuh"

namespace spicymkl::cuda {

namespace {

constexpr int kTile = 32, kTileRows = 8, kFindings = 4;

/// Numbers that are not negative are ordered as their bits are, and NaN is beyond them all.
__device__ void raise(double* largest, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(fabs(value))));
}

template <class Number>
__device__ double entry(const Number* matrix, std::int64_t stride, std::int64_t i, std::int64_t j) {
  return static_cast<double>(__ldg(matrix + j * stride + i));
}

/// A tile of the lower triangle beside its mirror image.
template <class Number>
__global__ void examine_tiles(const Number* const* matrices, std::int64_t n, std::int64_t stride, double* out) {
  __shared__ double mirrored[kTile][kTile + 1];
  const std::int64_t row = blockIdx.x * static_cast<std::int64_t>(kTile);
  const std::int64_t column = blockIdx.y * static_cast<std::int64_t>(kTile);
  if (row < column) return;
  const Number* matrix = matrices[blockIdx.z];
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kTileRows)
    if (column + x < n && row + y < n) mirrored[y][x] = entry(matrix, stride, column + x, row + y);
  __syncthreads();
  double* found = out + kFindings * blockIdx.z;
  double largest = 0, asymmetry = 0, excess = 0, negative = 0;
  for (int y = threadIdx.y; y < kTile; y += kTileRows) {
    const std::int64_t i = row + x, j = column + y;
    if (i >= n || j >= n) continue;
    const double below = entry(matrix, stride, i, j), above = mirrored[x][y];
    if (!isfinite(below)) raise(found, below);  // a maximum with NaN is the other number
    if (!isfinite(above)) raise(found, above);
    largest = fmax(largest, fmax(fabs(below), fabs(above)));
    asymmetry = fmax(asymmetry, fabs(below - above));
    const double root = sqrt(fmax(entry(matrix, stride, i, i), 0.0)) * sqrt(fmax(entry(matrix, stride, j, j), 0.0));
    excess = fmax(excess, fabs(below) - root);
    if (i == j) negative = fmax(negative, -below);
  }
  raise(found, largest);
  raise(found + 1, asymmetry);
  raise(found + 2, excess);
  raise(found + 3, negative);
}

}  // namespace

void examine(spicymkl_device& device, const spicymkl_device_set& set, double* out) {
  for (std::int64_t first = 0; first < set.count; first += kMostGroups) {
    spicymkl_device_set part = set;
    part.matrices += first;
    part.count = std::min(kMostGroups, set.count - first);
    const auto size = static_cast<std::size_t>(kFindings * part.count);
    double* result = device.workspace<double>(kResult, size);
    check(cudaMemsetAsync(result, 0, size * sizeof(double), device.stream), "clearing numbers");
    const unsigned tiles = blocks_for(set.n, kTile);
    by_type(part, [&](auto number) {
      const dim3 grid(tiles, tiles, static_cast<unsigned>(part.count));
      examine_tiles<decltype(number)><<<grid, dim3(kTile, kTileRows), 0, device.stream>>>(
          send_pointers<decltype(number)>(device, part), set.n, set.stride, result);
    });
    launched("examining matrices");
    get(device, out + kFindings * first, result, size);
  }
}

}  // namespace spicymkl::cuda
