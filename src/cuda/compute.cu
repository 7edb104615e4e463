// Kernel matrices from the rows of tables: a block of threads computes one tile of one kernel.
#include <algorithm>

#include "device.cuh"

namespace spicymkl::cuda {

namespace {

constexpr int kTile = 64;     // rows and columns of a tile,
constexpr int kSide = 16;     // by so many threads each way,
constexpr int kEach = 4;      // with so many rows and columns each
constexpr int kPanel = 8;     // columns of the table that are in shared memory at a time
constexpr std::int64_t kMostKernels = 65535;  // of one launch

/// As spicymkl_device_kernel, with all pointers on the device.
struct Kernel {
  int base, map, normalization, n_columns;
  double parameters[3], scale, shift;
  const int *row_columns, *column_columns;
  const double *row_terms, *column_terms, *row_present, *column_present, *diagonal;
  void* out;
};

struct Tables {
  const double *rows, *columns;
  std::int64_t n_rows, n_columns, row_stride, column_stride;
};

// What one column adds to the base, as in src/kernel/base_rules.hpp.

struct SquaredDifference {
  static __device__ void add(double& sum, double x, double z) { sum += (x - z) * (x - z); }
};
struct AbsoluteDifference {
  static __device__ void add(double& sum, double x, double z) { sum += fabs(x - z); }
};
struct Product {
  static __device__ void add(double& sum, double x, double z) { sum += x * z; }
};
struct ChiSquaredDifference {
  static __device__ void add(double& sum, double x, double z) {
    const double total = x + z;
    if (total != 0) sum += (x - z) * (x - z) / total;
  }
};
struct Minimum {
  static __device__ void add(double& sum, double x, double z) { sum += x < z ? x : z; }
};
struct Equal {
  static __device__ void add(double& sum, double x, double z) { sum += x == z ? 1.0 : 0.0; }
};

struct Shared {
  union {
    struct {
      double x[kPanel][kTile], z[kPanel][kTile];
    };
    double transposed[kTile][kTile + 1];
  };
};

/// Columns [from, from + count) of the table for the points of a tile; 0 beyond the last point.
__device__ void load_panel(double (*panel)[kTile], const double* values, std::int64_t stride, std::int64_t n,
                           std::int64_t first, const int* columns, int from, int count) {
  for (int at = threadIdx.x; at < count * kTile; at += kSide * kSide) {
    const int c = at / kTile, i = at % kTile;
    panel[c][i] = first + i < n ? values[columns[from + c] * stride + first + i] : 0;
  }
}

template <class Rule>
__device__ void sum_base(const Kernel& kernel, const Tables& tables, std::int64_t row, std::int64_t column,
                         Shared& shared, double (&sums)[kEach][kEach]) {
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
  for (int from = 0; from < kernel.n_columns; from += kPanel) {
    const int count = min(kPanel, kernel.n_columns - from);
    __syncthreads();
    load_panel(shared.x, tables.rows, tables.row_stride, tables.n_rows, row, kernel.row_columns, from, count);
    load_panel(shared.z, tables.columns, tables.column_stride, tables.n_columns, column, kernel.column_columns, from,
               count);
    __syncthreads();
    for (int c = 0; c < count; ++c) {
      double x[kEach], z[kEach];
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        x[e] = shared.x[c][tx + kSide * e];
        z[e] = shared.z[c][ty + kSide * e];
      }
#pragma unroll
      for (int j = 0; j < kEach; ++j)
#pragma unroll
        for (int i = 0; i < kEach; ++i) Rule::add(sums[i][j], x[i], z[j]);
    }
  }
}

/// 1/‖x‖ over the kernel's columns, 0 for a row of zeros.
__device__ double inverse_norm(const double* values, std::int64_t stride, std::int64_t point, const int* columns,
                               int n_columns) {
  double square = 0;
  for (int c = 0; c < n_columns; ++c) {
    const double x = values[columns[c] * stride + point];
    square += x * x;
  }
  return square > 0 ? 1 / sqrt(square) : 0;
}

__device__ void base_values(const Kernel& kernel, const Tables& tables, std::int64_t row, std::int64_t column,
                            Shared& shared, double (&sums)[kEach][kEach]) {
  switch (kernel.base) {
    case SPICYMKL_BASE_SQUARED_DISTANCE:
      return sum_base<SquaredDifference>(kernel, tables, row, column, shared, sums);
    case SPICYMKL_BASE_L1_DISTANCE:
      return sum_base<AbsoluteDifference>(kernel, tables, row, column, shared, sums);
    case SPICYMKL_BASE_CHI_SQUARED_DISTANCE:
      return sum_base<ChiSquaredDifference>(kernel, tables, row, column, shared, sums);
    case SPICYMKL_BASE_INTERSECTION:
      return sum_base<Minimum>(kernel, tables, row, column, shared, sums);
    case SPICYMKL_BASE_MATCHES:
      sum_base<Equal>(kernel, tables, row, column, shared, sums);
#pragma unroll
      for (int j = 0; j < kEach; ++j)
#pragma unroll
        for (int i = 0; i < kEach; ++i) sums[i][j] /= kernel.n_columns;
      return;
    default:
      sum_base<Product>(kernel, tables, row, column, shared, sums);
  }
  if (kernel.base != SPICYMKL_BASE_COSINE) return;
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
  double x[kEach], z[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const std::int64_t i = row + tx + kSide * e, j = column + ty + kSide * e;
    x[e] = i < tables.n_rows ? inverse_norm(tables.rows, tables.row_stride, i, kernel.row_columns, kernel.n_columns) : 0;
    z[e] = j < tables.n_columns
               ? inverse_norm(tables.columns, tables.column_stride, j, kernel.column_columns, kernel.n_columns)
               : 0;
  }
#pragma unroll
  for (int j = 0; j < kEach; ++j)
#pragma unroll
    for (int i = 0; i < kEach; ++i) sums[i][j] *= x[i] * z[j];
}

__device__ double power(double value, int degree) {
  double result = 1;
  for (double square = value; degree > 0; degree /= 2, square *= square)
    if (degree % 2 == 1) result *= square;
  return result;
}

__device__ double map_base(const Kernel& kernel, double b) {
  const double* p = kernel.parameters;
  switch (kernel.map) {
    case SPICYMKL_MAP_EXPONENTIAL:
      return exp(-p[0] * b);
    case SPICYMKL_MAP_POLYNOMIAL:
      return power(p[0] * b + p[1], static_cast<int>(p[2]));
    case SPICYMKL_MAP_MATERN: {
      const double u = p[1] * sqrt(b), value = exp(-u);
      return p[0] == 1.5 ? value * (1 + u) : p[0] == 2.5 ? value * (1 + u + u * u / 3) : value;
    }
    case SPICYMKL_MAP_RATIONAL_QUADRATIC:
      return p[1] == 1 ? 1 / (1 + p[0] * b) : pow(1 + p[0] * b, -p[1]);
    default:
      return b;
  }
}

__device__ double term(const double* terms, std::int64_t at, double missing) {
  return terms == nullptr ? missing : terms[at];
}

/// The kernel's value of row i and column j, from their base.
__device__ double finish(const Kernel& kernel, double b, std::int64_t i, std::int64_t j) {
  if (term(kernel.row_present, i, 1) == 0 || term(kernel.column_present, j, 1) == 0) return 0;
  double value = map_base(kernel, b);
  switch (kernel.normalization) {
    case SPICYMKL_NORMALIZE_PRODUCT:
      value *= term(kernel.row_terms, i, 1) * term(kernel.column_terms, j, 1);
      break;
    case SPICYMKL_NORMALIZE_SUM:
      value -= term(kernel.row_terms, i, 0) + (term(kernel.column_terms, j, 0) - kernel.shift);
      break;
    default:
      value *= kernel.scale;
  }
  if (i == j && kernel.diagonal != nullptr) value += kernel.diagonal[i];
  return value;
}

/// Tile (a, b), b ≤ a, of a triangle of tiles counted row by row.
__device__ void triangle_place(std::int64_t tile, std::int64_t& a, std::int64_t& b) {
  a = static_cast<std::int64_t>((sqrt(8.0 * static_cast<double>(tile) + 1) - 1) / 2);
  while (a * (a + 1) / 2 > tile) --a;
  while ((a + 1) * (a + 2) / 2 <= tile) ++a;
  b = tile - a * (a + 1) / 2;
}

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
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
  double sums[kEach][kEach] = {};
  base_values(kernel, tables, row, column, shared, sums);
  auto* out = static_cast<Number*>(kernel.out);
#pragma unroll
  for (int ej = 0; ej < kEach; ++ej)
#pragma unroll
    for (int ei = 0; ei < kEach; ++ei) {
      const std::int64_t i = row + tx + kSide * ei, j = column + ty + kSide * ej;
      if (i >= tables.n_rows || j >= tables.n_columns) continue;
      sums[ei][ej] = finish(kernel, sums[ei][ej], i, j);
      if (!symmetric || i >= j) out[j * stride + i] = static_cast<Number>(sums[ei][ej]);
    }
  if (!symmetric) return;
  // The other triangle, through shared memory so that rows are written in one go.
  __syncthreads();
#pragma unroll
  for (int ej = 0; ej < kEach; ++ej)
#pragma unroll
    for (int ei = 0; ei < kEach; ++ei) shared.transposed[tx + kSide * ei][ty + kSide * ej] = sums[ei][ej];
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

template <class Number>
void launch(spicymkl_device& device, const Tables& tables, const Kernel* kernels, std::int64_t count,
            std::int64_t stride, bool symmetric) {
  const std::int64_t down = (tables.n_rows + kTile - 1) / kTile, across = (tables.n_columns + kTile - 1) / kTile;
  const auto tiles = static_cast<unsigned>(symmetric ? down * (down + 1) / 2 : down * across);
  const dim3 grid(tiles, static_cast<unsigned>(count));
  if (symmetric) compute_tiles<Number, true><<<grid, kSide * kSide, 0, device.stream>>>(tables, kernels, stride);
  else compute_tiles<Number, false><<<grid, kSide * kSide, 0, device.stream>>>(tables, kernels, stride);
  launched("computing kernels");
}

}  // namespace

void compute(spicymkl_device& device, const spicymkl_device_table& rows, const spicymkl_device_table& columns,
             const spicymkl_device_kernel* kernels, std::int64_t count, std::int64_t stride, int number_bytes,
             bool symmetric) {
  const Tables tables{rows.values, columns.values, rows.n, columns.n, rows.stride, columns.stride};
  for (std::int64_t first = 0; first < count; first += kMostKernels) {
    const std::int64_t size = std::min(kMostKernels, count - first);
    const Kernel* sent = send_kernels(device, tables, kernels + first, size);
    if (number_bytes == 4) launch<float>(device, tables, sent, size, stride, symmetric);
    else launch<double>(device, tables, sent, size, stride, symmetric);
  }
}

}  // namespace spicymkl::cuda
