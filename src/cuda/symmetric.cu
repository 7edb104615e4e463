// Questions to many symmetric matrices at once. Only the lower triangle is read, tile by tile: a block of threads takes
// a tile of kRows × kColumns, a warp kOfWarp of its columns, a lane some neighbouring rows of each. Sums of tiles are
// kept apart and added in order.
#include <algorithm>
#include <type_traits>

#include "device.cuh"

namespace spicymkl::cuda {

namespace {

constexpr int kRows = 256, kColumns = 128, kWarps = 8, kThreads = 32 * kWarps;
constexpr int kOfWarp = kColumns / kWarps;
constexpr int kBlocksAtOnce = 2;  // on a multiprocessor, at least
constexpr int kAtOnce = 4;        // columns whose entries are on their way at the same time
constexpr std::int64_t kMostGroups = 65535;          // of one launch
constexpr std::int64_t kPartialNumbers = 1 << 25;    // sums of tiles that are kept at a time, 256 MB
constexpr std::int64_t kEnoughBlocks = 4000;         // to fill the device several times

/// Rows that a lane reads in one go: 16 bytes.
template <class Number>
constexpr int kPack = 16 / sizeof(Number);
template <class Number>
constexpr int kChunks = kRows / (32 * kPack<Number>);

struct Shape {
  std::int64_t n, stride;
  bool aligned;  // every column of every matrix begins at a multiple of 16 bytes
  __host__ __device__ std::int64_t row_tiles() const { return (n + kRows - 1) / kRows; }
  __host__ __device__ std::int64_t column_tiles() const { return (n + kColumns - 1) / kColumns; }
  /// Tiles (a, b) that touch the triangle, b ≤ 2a + 1; of the last row one may be beyond the matrix.
  __host__ __device__ std::int64_t tiles() const { return row_tiles() * (row_tiles() + 1); }
};

__device__ void tile_place(std::int64_t tile, std::int64_t& a, std::int64_t& b) {
  a = static_cast<std::int64_t>((sqrt(4.0 * static_cast<double>(tile) + 1) - 1) / 2);
  while (a * (a + 1) > tile) --a;
  while ((a + 1) * (a + 2) <= tile) ++a;
  b = tile - a * (a + 1);
}

/// kPack rows from `row` of the columns column, column + 1, …: entries above the diagonal and beyond the matrix are 0.
template <class Number, bool inside>
__device__ void load(const Number* matrix, const Shape& shape, std::int64_t row, std::int64_t column,
                     Number (&entries)[kAtOnce][kPack<Number>]) {
  if constexpr (inside) {
    using Wide = std::conditional_t<sizeof(Number) == 8, double2, float4>;
#pragma unroll
    for (int c = 0; c < kAtOnce; ++c) {
      const Wide wide = __ldg(reinterpret_cast<const Wide*>(matrix + (column + c) * shape.stride + row));
      entries[c][0] = wide.x;
      entries[c][1] = wide.y;
      if constexpr (sizeof(Number) == 4) {
        entries[c][2] = wide.z;
        entries[c][3] = wide.w;
      }
    }
  } else {
    // Within a tile's reach, so that no more than 32 bits are needed.
    const int above = static_cast<int>(column - row), rows = static_cast<int>(min(shape.n - row, std::int64_t{kRows}));
    const int columns = static_cast<int>(min(shape.n - column, std::int64_t{kColumns}));
    const Number* corner = matrix + column * shape.stride + row;
#pragma unroll
    for (int c = 0; c < kAtOnce; ++c)
#pragma unroll
      for (int r = 0; r < kPack<Number>; ++r) {
        const bool there = r < rows && c < columns && r >= above + c;
        entries[c][r] = there ? __ldg(corner + c * shape.stride + r) : Number(0);
      }
  }
}

/// The parts of the vectors that belong to the rows and the columns of a tile; 0 beyond the matrix.
template <int width>
struct TileVectors {
  double rows[width][kRows], columns[width][kColumns];

  __device__ void load(const double* V, std::int64_t n, std::int64_t row, std::int64_t column) {
    for (int p = 0; p < width; ++p) {
      for (int i = threadIdx.x; i < kRows; i += kThreads) rows[p][i] = row + i < n ? V[p * n + row + i] : 0;
      for (int j = threadIdx.x; j < kColumns; j += kThreads)
        columns[p][j] = column + j < n ? V[p * n + column + j] : 0;
    }
    __syncthreads();
  }
};

__device__ double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  return value;
}

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

/// out(k, p) = twice the sum of the tiles' parts, a warp for each.
__global__ void add_forms(const double* partial, std::int64_t tiles, int width, std::int64_t count, double* out) {
  const std::int64_t k = blockIdx.x;
  const int p = threadIdx.x / 32, lane = threadIdx.x % 32;
  double sum = 0;
  for (std::int64_t tile = lane; tile < tiles; tile += 32) sum += partial[(k * tiles + tile) * width + p];
  sum = warp_sum(sum);
  if (lane == 0) out[p * count + k] = fmax(2 * sum, 0.0);
}

/// Adds weight·Kv on kAtOnce columns of a tile, from in_column on, to the sums of the tile's rows and of these columns.
template <class Number, bool inside>
__device__ void product_of_columns(const Number* matrix, double weight, const Shape& shape, std::int64_t row,
                                   std::int64_t column, int in_column, const TileVectors<1>& vectors,
                                   double (&of_rows)[kChunks<Number>][kPack<Number>], double (&of_columns)[kAtOnce]) {
  constexpr int pack = kPack<Number>;
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int chunk = 0; chunk < kChunks<Number>; ++chunk) {
    const int in_row = (chunk * 32 + lane) * pack;
    Number entries[kAtOnce][pack];
    load<Number, inside>(matrix, shape, row + in_row, column + in_column, entries);
#pragma unroll
    for (int c = 0; c < kAtOnce; ++c) {
      const double v = weight * vectors.columns[0][in_column + c];
      double sum = 0;
#pragma unroll
      for (int r = 0; r < pack; ++r) {
        const double entry = static_cast<double>(entries[c][r]);
        of_rows[chunk][r] += entry * v;
        if (inside || row + in_row + r != column + in_column + c) sum += entry * vectors.rows[0][in_row + r];
      }
      of_columns[c] += weight * sum;
    }
  }
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
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce) product_tiles(const Number* const* matrices, const double* weights,
                                                          std::int64_t count, Shape shape, const double* v,
                                                          Partial partial) {
  __shared__ TileVectors<1> vectors;
  __shared__ double of_warps[kWarps][kRows];
  constexpr int pack = kPack<Number>;
  std::int64_t a, b;
  tile_place(blockIdx.x, a, b);
  const std::int64_t row = a * kRows, column = b * kColumns, group = blockIdx.y;
  if (column >= shape.n) return;
  vectors.load(v, shape.n, row, column);
  const bool inside = shape.aligned && row >= column + kColumns && row + kRows <= shape.n;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  double of_rows[kChunks<Number>][pack] = {};
#pragma unroll 1
  for (int part = 0; part < kOfWarp; part += kAtOnce) {
    const int in_column = warp * kOfWarp + part;
    double of_columns[kAtOnce] = {};
#pragma unroll 1
    for (std::int64_t k = group; k < count; k += gridDim.y) {
      const double weight = weights == nullptr ? 1 : weights[k];
      if (inside)
        product_of_columns<Number, true>(matrices[k], weight, shape, row, column, in_column, vectors, of_rows,
                                         of_columns);
      else
        product_of_columns<Number, false>(matrices[k], weight, shape, row, column, in_column, vectors, of_rows,
                                          of_columns);
    }
#pragma unroll
    for (int c = 0; c < kAtOnce; ++c) {
      const double sum = warp_sum(of_columns[c]);
      const std::int64_t j = column + in_column + c;
      if (lane == 0 && j < shape.n) partial.of_columns(shape, group, a)[j] = sum;
    }
  }
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
__global__ void __launch_bounds__(kAddRows) add_sums(const Number* const* matrices, const double* weights,
                                                     std::int64_t count, std::int64_t n, std::int64_t stride,
                                                     double* A, std::int64_t stride_A) {
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

template <class Number>
const Number* const* send_pointers(spicymkl_device& device, const spicymkl_device_set& set) {
  return reinterpret_cast<const Number* const*>(
      put(device, kPointers, set.matrices, static_cast<std::size_t>(set.count)));
}

Shape shape_of(const spicymkl_device_set& set) {
  bool aligned = set.stride * set.number_bytes % 16 == 0;
  for (std::int64_t k = 0; k < set.count; ++k)
    aligned = aligned && reinterpret_cast<std::uintptr_t>(set.matrices[k]) % 16 == 0;
  return {set.n, set.stride, aligned};
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
    add_forms<<<static_cast<unsigned>(size), static_cast<unsigned>(32 * width), 0, device.stream>>>(
        partial, tiles, width, set.count, out + first);
    launched("quadratic forms");
  }
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

/// Calls body with a value of the numbers' type.
template <class Body>
void by_type(const spicymkl_device_set& set, const Body& body) {
  if (set.number_bytes == 4) body(float());
  else body(double());
}

}  // namespace

void forms(spicymkl_device& device, const spicymkl_device_set& set, const double* V, std::int64_t width, double* out) {
  if (set.count == 0) return;
  constexpr std::int64_t kMostVectors = 4;
  const double* vectors = put(device, kVectors, V, static_cast<std::size_t>(set.n * width));
  double* result = device.workspace<double>(kResult, static_cast<std::size_t>(set.count * width));
  for (std::int64_t p = 0; p < width; p += kMostVectors)
    by_type(set, [&](auto number) {
      some_forms<decltype(number)>(device, set, vectors + p * set.n,
                                   static_cast<int>(std::min(kMostVectors, width - p)), result + p * set.count);
    });
  get(device, out, result, static_cast<std::size_t>(set.count * width));
}

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
      auto* targets = reinterpret_cast<Number* const*>(
          put(device, kResult, out + first, static_cast<std::size_t>(part.count)));
      const dim3 grid(blocks_for(n_places, kThreads),
                      std::min(kColumnBlocks, static_cast<unsigned>(n_places)), static_cast<unsigned>(part.count));
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

}  // namespace spicymkl::cuda
