// Products of many symmetric matrices with a vector, one by one or summed.
#include <algorithm>

#include "tiles.cuh"

namespace spicymkl::cuda {

namespace {

constexpr std::int64_t kEnoughBlocks = 4000;  // to fill the device several times

/// Adds weight·Kv on kAtOnce columns of a tile, from `first` on, to the sums of the tile's rows and of these columns.
template <class Number>
__device__ void add_columns_of_tile(const Number* matrix, double weight, const Shape& shape, std::int64_t row,
                                    std::int64_t column, int first, const TileVectors<1>& vectors,
                                    double (&of_rows)[kChunks<Number>][kPack<Number>],
                                    double (&of_columns)[kAtOnce]) {
  constexpr int pack = kPack<Number>;
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int chunk = 0; chunk < kChunks<Number>; ++chunk) {
    const int in_row = (chunk * 32 + lane) * pack;
    Number entries[kAtOnce][pack];
    load<Number, true>(matrix, shape, row + in_row, column + first, entries);
#pragma unroll
    for (int c = 0; c < kAtOnce; ++c) {
      const double v = weight * vectors.columns[0][first + c];
      double sum = 0;
#pragma unroll
      for (int r = 0; r < pack; ++r) {
        const double entry = static_cast<double>(entries[c][r]);
        of_rows[chunk][r] += entry * v;
        sum += entry * vectors.rows[0][in_row + r];
      }
      of_columns[c] += weight * sum;
    }
  }
}

/// The same for one column of a tile that the diagonal or the end of the matrix cuts; what is added to its own sum.
template <class Number>
__device__ double add_cut_column(const Number* matrix, double weight, const Shape& shape, std::int64_t row,
                                 std::int64_t column, int in_column, const TileVectors<1>& vectors,
                                 double (&of_rows)[kChunks<Number>][kPack<Number>]) {
  constexpr int pack = kPack<Number>;
  const double v = weight * vectors.columns[0][in_column];
  const int diagonal = static_cast<int>(column + in_column - row);  // may be above the tile
  const int end = static_cast<int>(min(shape.n - row, std::int64_t{kRows}));
  const Number* entries = matrix + (column + in_column) * shape.stride + row;
  double sum = 0;
#pragma unroll
  for (int chunk = 0; chunk < kChunks<Number>; ++chunk)
#pragma unroll
    for (int r = 0; r < pack; ++r) {
      const int i = (chunk * 32 + static_cast<int>(threadIdx.x) % 32) * pack + r;
      const double entry = i >= diagonal && i < end ? static_cast<double>(__ldg(entries + i)) : 0;
      of_rows[chunk][r] += entry * v;
      if (i != diagonal) sum += entry * vectors.rows[0][i];
    }
  return weight * sum;
}

/// Sums over the lanes of a warp, of kAtOnce numbers at once: lane l is given that of number l/8. At the first steps a
/// lane keeps half of the numbers and hands the others on.
__device__ double warp_sums(double (&values)[kAtOnce]) {
  static_assert(kAtOnce == 4);
  const int lane = threadIdx.x % 32;
  int offset = 16;
#pragma unroll
  for (int half = kAtOnce / 2; half > 0; half /= 2, offset /= 2) {
    const bool upper = (lane & offset) != 0;
#pragma unroll
    for (int c = 0; c < half; ++c) {
      const double kept = upper ? values[c + half] : values[c], handed = upper ? values[c] : values[c + half];
      values[c] = kept + __shfl_xor_sync(~0u, handed, offset);
    }
  }
#pragma unroll
  for (; offset > 0; offset /= 2) values[0] += __shfl_xor_sync(~0u, values[0], offset);
  return values[0];
}

/// Where the sums of tiles go: a column of n numbers for every tile of columns, then for every tile of rows.
struct Partial {
  double* numbers;
  __device__ double* of_rows(const Shape& shape, std::int64_t group, std::int64_t b) const {
    return numbers + (group * (shape.column_tiles() + shape.row_tiles()) + b) * shape.n;
  }
  __device__ double* of_columns(const Shape& shape, std::int64_t group, std::int64_t a) const {
    return of_rows(shape, group, shape.column_tiles() + a);
  }
};

/// Group g has the matrices g, g + groups, g + 2·groups, …; without weights each counts once.
template <class Number>
struct Group {
  const Number* const* matrices;
  const double* weights;
  std::int64_t first, count, step;

  __device__ double weight(std::int64_t k) const { return weights == nullptr ? 1 : weights[k]; }
};

/// The sums of the tile's rows, and those of its columns where they belong.
template <class Number>
__device__ void product_of_tile(const Group<Number>& group, const Shape& shape, std::int64_t row, std::int64_t column,
                                const TileVectors<1>& vectors, double (&of_rows)[kChunks<Number>][kPack<Number>],
                                double* column_sums) {
  const int lane = threadIdx.x % 32, own = threadIdx.x / 32 * kOfWarp;
#pragma unroll 1
  for (int part = own; part < own + kOfWarp; part += kAtOnce) {
    double of_columns[kAtOnce] = {};
#pragma unroll 1
    for (std::int64_t k = group.first; k < group.count; k += group.step)
      add_columns_of_tile(group.matrices[k], group.weight(k), shape, row, column, part, vectors, of_rows, of_columns);
    const double sum = warp_sums(of_columns);
    if (lane % 8 == 0) column_sums[part + lane / 8] = sum;
  }
}

template <class Number>
__device__ void product_of_cut_tile(const Group<Number>& group, const Shape& shape, std::int64_t row,
                                    std::int64_t column, const TileVectors<1>& vectors,
                                    double (&of_rows)[kChunks<Number>][kPack<Number>], double* column_sums) {
  const int own = threadIdx.x / 32 * kOfWarp;
#pragma unroll 1
  for (int c = own; c < own + kOfWarp && column + c < shape.n; ++c) {
    double sum = 0;
#pragma unroll 1
    for (std::int64_t k = group.first; k < group.count; k += group.step)
      sum += add_cut_column(group.matrices[k], group.weight(k), shape, row, column, c, vectors, of_rows);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) column_sums[c] = sum;
  }
}

template <class Number>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce)
    product_tiles(const Number* const* matrices, const double* weights, std::int64_t count, Shape shape,
                  const double* v, Partial partial) {
  __shared__ TileVectors<1> vectors;
  __shared__ double of_warps[kWarps][kRows];
  constexpr int pack = kPack<Number>;
  std::int64_t a, b;
  tile_place(blockIdx.x, a, b);
  const std::int64_t row = a * kRows, column = b * kColumns, group = blockIdx.y;
  if (column >= shape.n) return;
  vectors.load(v, shape.n, row, column);
  const Group<Number> of{matrices, weights, group, count, gridDim.y};
  double* column_sums = partial.of_columns(shape, group, a) + column;
  double of_rows[kChunks<Number>][pack] = {};
  if (shape.aligned && row >= column + kColumns && row + kRows <= shape.n)
    product_of_tile(of, shape, row, column, vectors, of_rows, column_sums);
  else product_of_cut_tile(of, shape, row, column, vectors, of_rows, column_sums);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int chunk = 0; chunk < kChunks<Number>; ++chunk)
#pragma unroll
    for (int r = 0; r < pack; ++r) of_warps[warp][(chunk * 32 + lane) * pack + r] = of_rows[chunk][r];
  __syncthreads();
  for (int i = threadIdx.x; i < kRows && row + i < shape.n; i += kThreads) {
    double sum = 0;
    for (int w = 0; w < kWarps; ++w) sum += of_warps[w][i];
    partial.of_rows(shape, group, b)[row + i] = sum;
  }
}

/// out(i, g) = the sums of all tiles that row i is part of; with `together`, over all groups.
__global__ void add_products(Partial partial, Shape shape, std::int64_t groups, bool together, double* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= shape.n) return;
  const std::int64_t a = i / kRows, last = min(2 * a + 1, shape.column_tiles() - 1);
  const std::int64_t begin = together ? 0 : blockIdx.y, end = together ? groups : blockIdx.y + 1;
  double sum = 0;
  for (std::int64_t g = begin; g < end; ++g) {
    for (std::int64_t b = 0; b <= last; ++b) sum += partial.of_rows(shape, g, b)[i];
    for (std::int64_t t = a; t < shape.row_tiles(); ++t) sum += partial.of_columns(shape, g, t)[i];
  }
  out[(together ? 0 : blockIdx.y) * shape.n + i] = sum;
}

/// K v of every matrix, or their weighted sum; v and out on the device.
template <class Number>
void product(spicymkl_device& device, const spicymkl_device_set& set, const Number* const* matrices,
             const double* weights, const double* v, double* out) {
  const Shape shape = shape_of(set);
  const std::int64_t kept = (shape.row_tiles() + shape.column_tiles()) * shape.n;
  const std::int64_t room = std::clamp<std::int64_t>(kPartialNumbers / kept, 1, kMostGroups);
  const bool together = weights != nullptr;
  const std::int64_t wanted = together ? std::max<std::int64_t>(1, kEnoughBlocks / shape.tiles()) : set.count;
  const std::int64_t at_once = std::min({room, wanted, set.count});
  const std::int64_t step = together ? set.count : at_once;
  double* partial = device.workspace<double>(kPartial, static_cast<std::size_t>(at_once * kept));
  for (std::int64_t first = 0; first < set.count; first += step) {
    const std::int64_t size = std::min(step, set.count - first), groups = std::min(at_once, size);
    const dim3 grid(static_cast<unsigned>(shape.tiles()), static_cast<unsigned>(groups));
    product_tiles<Number>
        <<<grid, kThreads, 0, device.stream>>>(matrices + first, weights, size, shape, v, Partial{partial});
    launched("products");
    const dim3 sums(blocks_for(shape.n, kThreads), together ? 1u : static_cast<unsigned>(groups));
    add_products<<<sums, kThreads, 0, device.stream>>>(Partial{partial}, shape, groups, together,
                                                       out + first * shape.n);
    launched("products");
  }
}

}  // namespace

void products(spicymkl_device& device, const spicymkl_device_set& set, const double* V, std::int64_t width,
              double* out) {
  if (set.count == 0) return;
  const double* vectors = put(device, kVectors, V, static_cast<std::size_t>(set.n * width));
  double* result = device.workspace<double>(kResult, static_cast<std::size_t>(set.n * set.count));
  by_type(set, [&](auto number) {
    const auto* matrices = send_pointers<decltype(number)>(device, set);
    for (std::int64_t p = 0; p < width; ++p) {
      product<decltype(number)>(device, set, matrices, nullptr, vectors + p * set.n, result);
      if (width == 1) return get(device, out, result, static_cast<std::size_t>(set.n * set.count));
      // Products with one vector lie side by side here, and `width` columns apart in what is asked for.
      check(cudaMemcpy2DAsync(out + p * set.n, sizeof(double) * set.n * width, result, sizeof(double) * set.n,
                              sizeof(double) * set.n, set.count, cudaMemcpyDeviceToHost, device.stream),
            "fetching products");
    }
  });
  device.finish();
}

void weighted_product(spicymkl_device& device, const spicymkl_device_set& set, const double* weights, const double* V,
                      std::int64_t width, double* out) {
  const auto size = static_cast<std::size_t>(set.n * width);
  if (set.count == 0) return std::fill(out, out + size, 0.0);
  const double* vectors = put(device, kVectors, V, size);
  const double* factors = put(device, kWeights, weights, static_cast<std::size_t>(set.count));
  double* result = device.workspace<double>(kResult, size);
  by_type(set, [&](auto number) {
    const auto* matrices = send_pointers<decltype(number)>(device, set);
    for (std::int64_t p = 0; p < width; ++p)
      product<decltype(number)>(device, set, matrices, factors, vectors + p * set.n, result + p * set.n);
  });
  get(device, out, result, size);
}

}  // namespace spicymkl::cuda
