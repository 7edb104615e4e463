// Many symmetric matrices, read tile by tile. Only the lower triangle is read: a block of threads takes a tile of
// kRows × kColumns, a warp kOfWarp of its columns, a lane some neighbouring rows of each. Sums of tiles are kept apart
// and added in order.
#pragma once

#include <type_traits>

#include "device.cuh"

namespace spicymkl::cuda {

constexpr int kRows = 256, kColumns = 128, kWarps = 8, kThreads = 32 * kWarps;
constexpr int kOfWarp = kColumns / kWarps;
constexpr int kBlocksAtOnce = 2;                   // on a multiprocessor, at least
constexpr int kAtOnce = 4;                         // columns whose entries are on their way at the same time
constexpr std::int64_t kMostGroups = 65535;        // of one launch
constexpr std::int64_t kMostVectors = 4;           // whose forms are taken in one go
constexpr std::int64_t kPartialNumbers = 1 << 25;  // sums of tiles that are kept at a time, 256 MB

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

inline __device__ void tile_place(std::int64_t tile, std::int64_t& a, std::int64_t& b) {
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

inline __device__ double warp_sum(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  return value;
}

template <class Number>
const Number* const* send_pointers(spicymkl_device& device, const spicymkl_device_set& set) {
  return reinterpret_cast<const Number* const*>(
      put(device, kPointers, set.matrices, static_cast<std::size_t>(set.count)));
}

inline Shape shape_of(const spicymkl_device_set& set) {
  bool aligned = set.stride * set.number_bytes % 16 == 0;
  for (std::int64_t k = 0; k < set.count; ++k)
    aligned = aligned && reinterpret_cast<std::uintptr_t>(set.matrices[k]) % 16 == 0;
  return {set.n, set.stride, aligned};
}

/// out(k, p) = factor·Σ partial(k, tile, p), 0 where that is negative, in an order that depends on the number of tiles
/// alone; out has `stride` numbers from a vector to the next.
void add_forms(spicymkl_device& device, const double* partial, std::int64_t tiles, int width, std::int64_t count,
               double factor, double* out, std::int64_t stride);

/// Calls body with a value of the numbers' type.
template <class Body>
void by_type(const spicymkl_device_set& set, const Body& body) {
  if (set.number_bytes == 4) body(float());
  else body(double());
}

}  // namespace spicymkl::cuda
