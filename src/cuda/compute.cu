// Kernel matrices from the rows of tables, kept or only multiplied with vectors.
#include <algorithm>

#include "kernel_tiles.cuh"
#include "tiles.cuh"

namespace spicymkl::cuda {

namespace {

template <class Number, bool symmetric>
__global__ void __launch_bounds__(kSide* kSide) compute_tiles(Tables tables, const Kernel* kernels,
                                                              std::int64_t stride) {
  __shared__ Shared shared;
  const Kernel& kernel = kernels[blockIdx.y];
  std::int64_t a, b;
  if (symmetric) {
    triangle_place(blockIdx.x, a, b);
  } else {
    const std::int64_t down = (tables.n_rows + kTile - 1) / kTile;
    a = blockIdx.x % down;
    b = blockIdx.x / down;
  }
  const std::int64_t row = a * kTile, column = b * kTile;
  double entries[kEach][kEach] = {};
  tile_entries(kernel, tables, row, column, shared, entries);
  auto* out = static_cast<Number*>(kernel.out);
  for_entries(tables, row, column, entries, [&](std::int64_t i, std::int64_t j, double entry) {
    if (!symmetric || i >= j) out[j * stride + i] = static_cast<Number>(entry);
  });
  if (!symmetric) return;
  // The other triangle, through shared memory so that rows are written in one go.
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
  __syncthreads();
#pragma unroll
  for (int ej = 0; ej < kEach; ++ej)
#pragma unroll
    for (int ei = 0; ei < kEach; ++ei) shared.transposed[tx + kSide * ei][ty + kSide * ej] = entries[ei][ej];
  __syncthreads();
#pragma unroll
  for (int ej = 0; ej < kEach; ++ej)
#pragma unroll
    for (int ei = 0; ei < kEach; ++ei) {
      const int in_row = ty + kSide * ej, in_column = tx + kSide * ei;  // of the tile; of its mirror the other way round
      const std::int64_t i = row + in_row, j = column + in_column;
      if (i < tables.n_rows && j < tables.n_columns && i > j)
        out[i * stride + j] = static_cast<Number>(shared.transposed[in_row][in_column]);
    }
}

/// partial(k, tile, p): what a tile of the lower triangle adds to v_pᵀK_kv_p, where every entry but those of the
/// diagonal counts twice.
template <int width>
__global__ void __launch_bounds__(kSide* kSide) form_tiles_computed(Tables tables, const Kernel* kernels,
                                                                    const double* V, double* partial) {
  __shared__ Shared shared;
  __shared__ double of_warps[width][kSide * kSide / 32];
  std::int64_t a, b;
  triangle_place(blockIdx.x, a, b);
  const std::int64_t row = a * kTile, column = b * kTile, n = tables.n_rows;
  double entries[kEach][kEach] = {};
  tile_entries(kernels[blockIdx.y], tables, row, column, shared, entries);
#pragma unroll
  for (int p = 0; p < width; ++p) {
    const double* v = V + p * n;
    double sum = 0;
    for_entries(tables, row, column, entries, [&](std::int64_t i, std::int64_t j, double entry) {
      if (i >= j) sum += (i == j ? 1.0 : 2.0) * entry * (__ldg(v + i) * __ldg(v + j));
    });
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) of_warps[p][threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= width) return;
  double sum = 0;
  for (int warp = 0; warp < kSide * kSide / 32; ++warp) sum += of_warps[threadIdx.x][warp];
  partial[(blockIdx.y * static_cast<std::int64_t>(gridDim.x) + blockIdx.x) * width + threadIdx.x] = sum;
}

constexpr std::int64_t kChunkColumns = 1024;  // whose products are summed by one block of threads

/// partial(k, chunk, p, i): what the columns of a chunk add to row i of K_k w_p. Where a row lies among the others makes
/// no difference.
template <int width>
__global__ void __launch_bounds__(kSide* kSide) product_tiles_computed(Tables tables, const Kernel* kernels,
                                                                       const double* W, double* partial) {
  __shared__ Shared shared;
  __shared__ double of_threads[kTile][kSide + 1];
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
  const std::int64_t row = blockIdx.x * static_cast<std::int64_t>(kTile);
  const std::int64_t begin = blockIdx.y * kChunkColumns, end = min(begin + kChunkColumns, tables.n_columns);
  double sums[width][kEach] = {};
  for (std::int64_t column = begin; column < end; column += kTile) {
    double entries[kEach][kEach] = {};
    tile_entries(kernels[blockIdx.z], tables, row, column, shared, entries);
#pragma unroll
    for (int ej = 0; ej < kEach; ++ej) {
      const std::int64_t j = column + ty + kSide * ej;
      if (j >= tables.n_columns) continue;
#pragma unroll
      for (int p = 0; p < width; ++p) {
        const double w = __ldg(W + p * tables.n_columns + j);
#pragma unroll
        for (int ei = 0; ei < kEach; ++ei) sums[p][ei] += entries[ei][ej] * w;
      }
    }
  }
#pragma unroll
  for (int p = 0; p < width; ++p) {
    __syncthreads();
#pragma unroll
    for (int ei = 0; ei < kEach; ++ei) of_threads[tx + kSide * ei][ty] = sums[p][ei];
    __syncthreads();
    const std::int64_t i = row + threadIdx.x;
    if (threadIdx.x >= kTile || i >= tables.n_rows) continue;
    double sum = 0;
    for (int thread = 0; thread < kSide; ++thread) sum += of_threads[threadIdx.x][thread];
    const std::int64_t of = (blockIdx.z * static_cast<std::int64_t>(gridDim.y) + blockIdx.y) * width + p;
    partial[of * tables.n_rows + i] = sum;
  }
}

/// out(i, first + p, k) = the sum of the chunks' parts, of `width` vectors per kernel.
__global__ void add_product_chunks(const double* partial, std::int64_t n, std::int64_t chunks, int some,
                                   std::int64_t first, std::int64_t width, double* out) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t p = blockIdx.y, k = blockIdx.z;
  if (i >= n) return;
  double sum = 0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += partial[((k * chunks + chunk) * some + p) * n + i];
  out[(k * width + first + p) * n + i] = sum;
}

/// Collects what kernels refer to, to be sent in one go: places are pointers once it is known where it went.
template <class Number>
class Bundle {
 public:
  std::ptrdiff_t add(const Number* from, std::int64_t count) {
    if (from == nullptr) return -1;
    numbers_.insert(numbers_.end(), from, from + count);
    return static_cast<std::ptrdiff_t>(numbers_.size()) - count;
  }
  void send(spicymkl_device& device, Purpose purpose) {
    if (!numbers_.empty()) sent_ = put(device, purpose, numbers_.data(), numbers_.size());
  }
  const Number* at(std::ptrdiff_t place) const { return place < 0 ? nullptr : sent_ + place; }

 private:
  std::vector<Number> numbers_;
  const Number* sent_ = nullptr;
};

struct KernelPlaces {
  std::ptrdiff_t row_columns, column_columns, row_terms, column_terms, row_present, column_present, diagonal;
};

}  // namespace

const Kernel* send_kernels(spicymkl_device& device, const Tables& tables, const spicymkl_device_kernel* kernels,
                           std::int64_t count) {
  Bundle<int> columns;
  Bundle<double> terms;
  std::vector<KernelPlaces> places;
  for (std::int64_t k = 0; k < count; ++k) {
    const spicymkl_device_kernel& from = kernels[k];
    places.push_back({columns.add(from.row_columns, from.n_columns), columns.add(from.column_columns, from.n_columns),
                      terms.add(from.row_terms, tables.n_rows), terms.add(from.column_terms, tables.n_columns),
                      terms.add(from.row_present, tables.n_rows), terms.add(from.column_present, tables.n_columns),
                      terms.add(from.diagonal, std::min(tables.n_rows, tables.n_columns))});
  }
  columns.send(device, kPlaces);
  terms.send(device, kTerms);
  std::vector<Kernel> ready;
  for (std::int64_t k = 0; k < count; ++k) {
    const spicymkl_device_kernel& from = kernels[k];
    const KernelPlaces& at = places[static_cast<std::size_t>(k)];
    ready.push_back({from.base, from.map, from.normalization, from.n_columns,
                     {from.parameters[0], from.parameters[1], from.parameters[2]}, from.scale, from.shift,
                     columns.at(at.row_columns), columns.at(at.column_columns), terms.at(at.row_terms),
                     terms.at(at.column_terms), terms.at(at.row_present), terms.at(at.column_present),
                     terms.at(at.diagonal), from.out});
  }
  return put(device, kDescriptions, ready.data(), ready.size());
}

namespace {

Tables tables_of(const spicymkl_device_table& rows, const spicymkl_device_table& columns) {
  return {rows.values, columns.values, rows.n, columns.n, rows.stride, columns.stride};
}

std::int64_t tiles_along(std::int64_t n) { return (n + kTile - 1) / kTile; }

template <class Number>
void launch(spicymkl_device& device, const Tables& tables, const Kernel* kernels, std::int64_t count,
            std::int64_t stride, bool symmetric) {
  const std::int64_t down = tiles_along(tables.n_rows), across = tiles_along(tables.n_columns);
  const dim3 grid(static_cast<unsigned>(symmetric ? triangle_of(down) : down * across), static_cast<unsigned>(count));
  if (symmetric) compute_tiles<Number, true><<<grid, kSide * kSide, 0, device.stream>>>(tables, kernels, stride);
  else compute_tiles<Number, false><<<grid, kSide * kSide, 0, device.stream>>>(tables, kernels, stride);
  launched("computing kernels");
}

/// Forms of up to four vectors of some kernels that are on the device.
void launch_forms(spicymkl_device& device, const Tables& tables, const Kernel* kernels, std::int64_t count,
                  const double* V, int width, double* partial) {
  const dim3 grid(static_cast<unsigned>(triangle_of(tiles_along(tables.n_rows))), static_cast<unsigned>(count));
  const auto start = [&](auto kernel) {
    kernel<<<grid, kSide * kSide, 0, device.stream>>>(tables, kernels, V, partial);
    launched("forms of kernels that are computed");
  };
  switch (width) {
    case 1:
      return start(form_tiles_computed<1>);
    case 2:
      return start(form_tiles_computed<2>);
    case 3:
      return start(form_tiles_computed<3>);
    default:
      return start(form_tiles_computed<4>);
  }
}

void launch_products(spicymkl_device& device, const Tables& tables, const Kernel* kernels, const dim3& grid,
                     const double* W, int width, double* partial) {
  const auto start = [&](auto kernel) {
    kernel<<<grid, kSide * kSide, 0, device.stream>>>(tables, kernels, W, partial);
    launched("products of kernels that are computed");
  };
  switch (width) {
    case 1:
      return start(product_tiles_computed<1>);
    case 2:
      return start(product_tiles_computed<2>);
    case 3:
      return start(product_tiles_computed<3>);
    default:
      return start(product_tiles_computed<4>);
  }
}

}  // namespace

void compute(spicymkl_device& device, const spicymkl_device_table& rows, const spicymkl_device_table& columns,
             const spicymkl_device_kernel* kernels, std::int64_t count, std::int64_t stride, int number_bytes,
             bool symmetric) {
  const Tables tables = tables_of(rows, columns);
  for (std::int64_t first = 0; first < count; first += kMostKernels) {
    const std::int64_t size = std::min(kMostKernels, count - first);
    const Kernel* sent = send_kernels(device, tables, kernels + first, size);
    if (number_bytes == 4) launch<float>(device, tables, sent, size, stride, symmetric);
    else launch<double>(device, tables, sent, size, stride, symmetric);
  }
}

void computed_forms(spicymkl_device& device, const spicymkl_device_table& table, const spicymkl_device_kernel* kernels,
                    std::int64_t count, const double* V, std::int64_t width, double* out) {
  if (count == 0) return;
  const Tables tables = tables_of(table, table);
  const std::int64_t tiles = triangle_of(tiles_along(table.n));
  const std::int64_t at_once = std::clamp<std::int64_t>(kPartialNumbers / (tiles * kMostVectors), 1, kMostKernels);
  const double* vectors = put(device, kVectors, V, static_cast<std::size_t>(table.n * width));
  double* result = device.workspace<double>(kResult, static_cast<std::size_t>(count * width));
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t size = std::min(at_once, count - first);
    const Kernel* sent = send_kernels(device, tables, kernels + first, size);
    for (std::int64_t p = 0; p < width; p += kMostVectors) {
      const int some = static_cast<int>(std::min(kMostVectors, width - p));
      double* partial = device.workspace<double>(kPartial, static_cast<std::size_t>(size * tiles * some));
      launch_forms(device, tables, sent, size, vectors + p * table.n, some, partial);
      add_forms(device, partial, tiles, some, size, 1, result + p * count + first, count);
    }
  }
  get(device, out, result, static_cast<std::size_t>(count * width));
}

void computed_products(spicymkl_device& device, const spicymkl_device_table& rows,
                       const spicymkl_device_table& columns, const spicymkl_device_kernel* kernels, std::int64_t count,
                       const double* W, std::int64_t width, double* out) {
  const std::int64_t n = rows.n, chunks = (columns.n + kChunkColumns - 1) / kChunkColumns;
  if (count == 0 || n == 0) return;
  const Tables tables = tables_of(rows, columns);
  const std::int64_t at_once =
      std::clamp<std::int64_t>(kPartialNumbers / (chunks * kMostVectors * n), 1, std::min(count, kMostKernels));
  const double* vectors = put(device, kVectors, W, static_cast<std::size_t>(columns.n * width));
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t size = std::min(at_once, count - first);
    const Kernel* sent = send_kernels(device, tables, kernels + first, size);
    double* result = device.workspace<double>(kResult, static_cast<std::size_t>(n * width * size));
    const dim3 grid(static_cast<unsigned>(tiles_along(n)), static_cast<unsigned>(chunks), static_cast<unsigned>(size));
    for (std::int64_t p = 0; p < width; p += kMostVectors) {
      const int some = static_cast<int>(std::min(kMostVectors, width - p));
      double* partial = device.workspace<double>(kPartial, static_cast<std::size_t>(size * chunks * some * n));
      launch_products(device, tables, sent, grid, vectors + p * columns.n, some, partial);
      const dim3 sums(blocks_for(n, kThreads), static_cast<unsigned>(some), static_cast<unsigned>(size));
      add_product_chunks<<<sums, kThreads, 0, device.stream>>>(partial, n, chunks, some, p, width, result);
      launched("products of kernels that are computed");
    }
    get(device, out + first * width * n, result, static_cast<std::size_t>(n * width * size));
  }
}

}  // namespace spicymkl::cuda
