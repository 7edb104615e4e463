// Tiles of kernel matrices from the rows of tables: a block of threads computes one tile of one kernel.
#pragma once

#include "device.cuh"

namespace spicymkl::cuda {

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
inline __device__ void load_panel(double (*panel)[kTile], const double* values, std::int64_t stride, std::int64_t n,
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
inline __device__ double inverse_norm(const double* values, std::int64_t stride, std::int64_t point, const int* columns,
                               int n_columns) {
  double square = 0;
  for (int c = 0; c < n_columns; ++c) {
    const double x = values[columns[c] * stride + point];
    square += x * x;
  }
  return square > 0 ? 1 / sqrt(square) : 0;
}

inline __device__ void base_values(const Kernel& kernel, const Tables& tables, std::int64_t row, std::int64_t column,
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

// The kernel as a function of its base.

struct Exponential {
  static __device__ double of(const double* p, double b) { return exp(-p[0] * b); }
};
struct Polynomial {
  static __device__ double of(const double* p, double b) {
    double result = 1, square = p[0] * b + p[1];
    for (int degree = static_cast<int>(p[2]); degree > 0; degree /= 2, square *= square)
      if (degree % 2 == 1) result *= square;
    return result;
  }
};
struct Matern {
  static __device__ double of(const double* p, double b) {
    const double u = p[1] * sqrt(b), value = exp(-u);
    return p[0] == 1.5 ? value * (1 + u) : p[0] == 2.5 ? value * (1 + u + u * u / 3) : value;
  }
};
struct RationalQuadratic {
  static __device__ double of(const double* p, double b) {
    return p[1] == 1 ? 1 / (1 + p[0] * b) : pow(1 + p[0] * b, -p[1]);
  }
};

/// What the entries of a tile that a thread computes are called: body(i, j, entry), i and j of the whole matrix, for
/// those inside it.
template <class Body>
__device__ void for_entries(const Tables& tables, std::int64_t row, std::int64_t column,
                            double (&entries)[kEach][kEach], const Body& body) {
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
#pragma unroll
  for (int ej = 0; ej < kEach; ++ej)
#pragma unroll
    for (int ei = 0; ei < kEach; ++ei) {
      const std::int64_t i = row + tx + kSide * ei, j = column + ty + kSide * ej;
      if (i < tables.n_rows && j < tables.n_columns) body(i, j, entries[ei][ej]);
    }
}

template <class Map>
__device__ void map_entries(const Kernel& kernel, double (&entries)[kEach][kEach]) {
  const double p[3] = {kernel.parameters[0], kernel.parameters[1], kernel.parameters[2]};
#pragma unroll
  for (int j = 0; j < kEach; ++j)
#pragma unroll
    for (int i = 0; i < kEach; ++i) entries[i][j] = Map::of(p, entries[i][j]);
}

inline __device__ double term(const double* terms, std::int64_t at, double missing) {
  return terms == nullptr ? missing : terms[at];
}

/// The entries of the tile that begins at (row, column); what lies beyond the matrix is undefined. Every choice is made
/// once for all entries of a thread: the code of a tile has to fit into the instruction cache.
inline __device__ void tile_entries(const Kernel& kernel, const Tables& tables, std::int64_t row, std::int64_t column,
                                    Shared& shared, double (&entries)[kEach][kEach]) {
  base_values(kernel, tables, row, column, shared, entries);
  switch (kernel.map) {
    case SPICYMKL_MAP_EXPONENTIAL:
      map_entries<Exponential>(kernel, entries);
      break;
    case SPICYMKL_MAP_POLYNOMIAL:
      map_entries<Polynomial>(kernel, entries);
      break;
    case SPICYMKL_MAP_MATERN:
      map_entries<Matern>(kernel, entries);
      break;
    case SPICYMKL_MAP_RATIONAL_QUADRATIC:
      map_entries<RationalQuadratic>(kernel, entries);
      break;
    default:
      break;
  }
  switch (kernel.normalization) {
    case SPICYMKL_NORMALIZE_PRODUCT:
      for_entries(tables, row, column, entries, [&](std::int64_t i, std::int64_t j, double& entry) {
        entry *= term(kernel.row_terms, i, 1) * term(kernel.column_terms, j, 1);
      });
      break;
    case SPICYMKL_NORMALIZE_SUM:
      for_entries(tables, row, column, entries, [&](std::int64_t i, std::int64_t j, double& entry) {
        entry -= term(kernel.row_terms, i, 0) + (term(kernel.column_terms, j, 0) - kernel.shift);
      });
      break;
    default:
      for_entries(tables, row, column, entries,
                  [&](std::int64_t, std::int64_t, double& entry) { entry *= kernel.scale; });
  }
  if (kernel.diagonal != nullptr)
    for_entries(tables, row, column, entries, [&](std::int64_t i, std::int64_t j, double& entry) {
      if (i == j) entry += kernel.diagonal[i];
    });
  if (kernel.row_present != nullptr || kernel.column_present != nullptr)
    for_entries(tables, row, column, entries, [&](std::int64_t i, std::int64_t j, double& entry) {
      if (term(kernel.row_present, i, 1) == 0 || term(kernel.column_present, j, 1) == 0) entry = 0;
    });
}

/// Tiles of a triangle, counted row by row.
inline std::int64_t triangle_of(std::int64_t rows) { return rows * (rows + 1) / 2; }

/// Tile (a, b), b ≤ a, of such a triangle.
inline __device__ void triangle_place(std::int64_t tile, std::int64_t& a, std::int64_t& b) {
  a = static_cast<std::int64_t>((sqrt(8.0 * static_cast<double>(tile) + 1) - 1) / 2);
  while (a * (a + 1) / 2 > tile) --a;
  while ((a + 1) * (a + 2) / 2 <= tile) ++a;
  b = tile - a * (a + 1) / 2;
}

/// Kernels as they are asked for, on the device until its workspaces are used again.
const Kernel* send_kernels(spicymkl_device& device, const Tables& tables, const spicymkl_device_kernel* kernels,
                           std::int64_t count);

}  // namespace spicymkl::cuda
