// Quadratic forms of many symmetric matrices.
#include <algorithm>

#include "tiles.cuh"

namespace spicymkl::cuda {

namespace {

template <class Number, int width, bool inside>
__device__ void form_of_tile(const Number* matrix, const Shape& shape, std::int64_t row, std::int64_t column,
                             const TileVectors<width>& vectors, double (&sums)[width]) {
  constexpr int pack = kPack<Number>;
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * kOfWarp;
#pragma unroll 1
  for (int part = 0; part < kOfWarp; part += kAtOnce)
#pragma unroll 2
    for (int chunk = 0; chunk < kChunks<Number>; ++chunk) {
      const int in_row = (chunk * 32 + lane) * pack;
      Number entries[kAtOnce][pack];
      load<Number, inside>(matrix, shape, row + in_row, column + first + part, entries);
#pragma unroll
      for (int p = 0; p < width; ++p)
#pragma unroll
        for (int r = 0; r < pack; ++r) {
          double product = 0;
#pragma unroll
          for (int c = 0; c < kAtOnce; ++c) {
            double entry = static_cast<double>(entries[c][r]);
            if constexpr (!inside)
              if (row + in_row + r == column + first + part + c) entry *= 0.5;
            product += entry * vectors.columns[p][first + part + c];
          }
          sums[p] += product * vectors.rows[p][in_row + r];
        }
    }
}

/// partial(k, tile, p): what a tile adds to half of v_pᵀK_kv_p.
template <class Number, int width>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce) form_tiles(const Number* const* matrices, Shape shape, const double* V,
                                                       double* partial) {
  __shared__ TileVectors<width> vectors;
  __shared__ double of_warps[width][kWarps];
  std::int64_t a, b;
  tile_place(blockIdx.x, a, b);
  const std::int64_t row = a * kRows, column = b * kColumns;
  double* out = partial + (blockIdx.y * static_cast<std::int64_t>(gridDim.x) + blockIdx.x) * width;
  if (column >= shape.n) {
    if (threadIdx.x < width) out[threadIdx.x] = 0;
    return;
  }
  vectors.load(V, shape.n, row, column);
  double sums[width] = {};
  const Number* matrix = matrices[blockIdx.y];
  if (shape.aligned && row >= column + kColumns && row + kRows <= shape.n)
    form_of_tile<Number, width, true>(matrix, shape, row, column, vectors, sums);
  else form_of_tile<Number, width, false>(matrix, shape, row, column, vectors, sums);
  for (int p = 0; p < width; ++p) {
    const double sum = warp_sum(sums[p]);
    if (threadIdx.x % 32 == 0) of_warps[p][threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= width) return;
  double sum = 0;
  for (int warp = 0; warp < kWarps; ++warp) sum += of_warps[threadIdx.x][warp];
  out[threadIdx.x] = sum;
}

/// out(k, p) = factor times the sum of the tiles' parts, a warp for each.
__global__ void sum_tiles(const double* partial, std::int64_t tiles, int width, double factor, double* out,
                          std::int64_t stride) {
  const std::int64_t k = blockIdx.x;
  const int p = threadIdx.x / 32, lane = threadIdx.x % 32;
  double sum = 0;
  for (std::int64_t tile = lane; tile < tiles; tile += 32) sum += partial[(k * tiles + tile) * width + p];
  sum = warp_sum(sum);
  if (lane == 0) out[p * stride + k] = fmax(factor * sum, 0.0);
}

template <class Number, int width>
void launch_forms(spicymkl_device& device, const Number* const* matrices, std::int64_t count, const Shape& shape,
                  const double* V, double* partial) {
  const dim3 grid(static_cast<unsigned>(shape.tiles()), static_cast<unsigned>(count));
  form_tiles<Number, width><<<grid, kThreads, 0, device.stream>>>(matrices, shape, V, partial);
  launched("quadratic forms");
}

/// Forms of up to four vectors, V and out on the device; out is count × width.
template <class Number>
void some_forms(spicymkl_device& device, const spicymkl_device_set& set, const double* V, int width, double* out) {
  const Shape shape = shape_of(set);
  const auto* matrices = send_pointers<Number>(device, set);
  const std::int64_t tiles = shape.tiles();
  const std::int64_t at_once = std::clamp<std::int64_t>(kPartialNumbers / (tiles * width), 1, kMostGroups);
  for (std::int64_t first = 0; first < set.count; first += at_once) {
    const std::int64_t size = std::min(at_once, set.count - first);
    double* partial = device.workspace<double>(kPartial, static_cast<std::size_t>(size * tiles * width));
    switch (width) {
      case 1:
        launch_forms<Number, 1>(device, matrices + first, size, shape, V, partial);
        break;
      case 2:
        launch_forms<Number, 2>(device, matrices + first, size, shape, V, partial);
        break;
      case 3:
        launch_forms<Number, 3>(device, matrices + first, size, shape, V, partial);
        break;
      default:
        launch_forms<Number, 4>(device, matrices + first, size, shape, V, partial);
    }
    add_forms(device, partial, tiles, width, size, 2, out + first, set.count);
  }
}

}  // namespace

void add_forms(spicymkl_device& device, const double* partial, std::int64_t tiles, int width, std::int64_t count,
               double factor, double* out, std::int64_t stride) {
  sum_tiles<<<static_cast<unsigned>(count), static_cast<unsigned>(32 * width), 0, device.stream>>>(
      partial, tiles, width, factor, out, stride);
  launched("quadratic forms");
}

void forms(spicymkl_device& device, const spicymkl_device_set& set, const double* V, std::int64_t width, double* out) {
  if (set.count == 0) return;
  const double* vectors = put(device, kVectors, V, static_cast<std::size_t>(set.n * width));
  double* result = device.workspace<double>(kResult, static_cast<std::size_t>(set.count * width));
  for (std::int64_t p = 0; p < width; p += kMostVectors)
    by_type(set, [&](auto number) {
      some_forms<decltype(number)>(device, set, vectors + p * set.n,
                                   static_cast<int>(std::min(kMostVectors, width - p)), result + p * set.count);
    });
  get(device, out, result, static_cast<std::size_t>(set.count * width));
}

}  // namespace spicymkl::cuda
