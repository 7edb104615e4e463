// The functions of a device, on the processor: whatever is written against the table runs where there is no GPU. Plain
// loops and Eigen, entry by entry from the definitions in device_api.h, so that a plugin can be held against it.
#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "device/device.hpp"

/// Settings of one device, and what went wrong last.
struct spicymkl_device {
  std::string error;
  std::int64_t used = 0;
};

namespace spicymkl::testing_support::host_device {

/// What the next devices are like.
struct Behaviour {
  std::int64_t total_bytes = std::int64_t{1} << 32;
  int next_failure = SPICYMKL_DEVICE_OK;  ///< of the next call that computes something
};

inline Behaviour& behaviour() {
  static Behaviour behaviour;
  return behaviour;
}

/// The status of a call that computes something, which may be told to fail.
inline int computed(spicymkl_device* device) {
  const int status = behaviour().next_failure;
  behaviour().next_failure = SPICYMKL_DEVICE_OK;
  if (status != SPICYMKL_DEVICE_OK) device->error = "as the test wants it";
  return status;
}

inline int open(std::int32_t number, spicymkl_device** device) {
  *device = new spicymkl_device;
  (*device)->error = "there is no such device";
  return number == 0 ? SPICYMKL_DEVICE_OK : SPICYMKL_DEVICE_ABSENT;
}

inline void close(spicymkl_device* device) { delete device; }

inline int describe(spicymkl_device* device, spicymkl_device_description* out) {
  std::strcpy(out->name, "Test Device");
  out->total_bytes = behaviour().total_bytes;
  out->free_bytes = behaviour().total_bytes - device->used;
  return SPICYMKL_DEVICE_OK;
}

inline const char* last_error(spicymkl_device* device) { return device->error.c_str(); }

constexpr std::int64_t kHead = 64;  // bytes before a piece of memory, which hold its size

inline int allocate(spicymkl_device* device, std::int64_t bytes, void** memory) {
  if (bytes > behaviour().total_bytes - device->used) {
    device->error = "out of memory";
    return SPICYMKL_DEVICE_OUT_OF_MEMORY;
  }
  const auto size = static_cast<std::size_t>((bytes + 2 * kHead - 1) / kHead * kHead);
  auto* start = static_cast<char*>(std::aligned_alloc(kHead, size));
  std::memcpy(start, &bytes, sizeof(bytes));
  std::memset(start + kHead, 0xff, size - kHead);  // NaN: whoever reads what nobody wrote is found out
  device->used += bytes;
  *memory = start + kHead;
  return SPICYMKL_DEVICE_OK;
}

inline void release(spicymkl_device* device, void* memory) {
  char* start = static_cast<char*>(memory) - kHead;
  std::int64_t bytes = 0;
  std::memcpy(&bytes, start, sizeof(bytes));
  device->used -= bytes;
  std::free(start);
}

inline int copy(spicymkl_device* device, void* to, const void* from, std::int64_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
  return computed(device);
}

inline double base_sum(const spicymkl_device_kernel& kernel, const spicymkl_device_table& rows, Index i,
                       const spicymkl_device_table& columns, Index j) {
  double sum = 0, x_square = 0, z_square = 0;
  for (int c = 0; c < kernel.n_columns; ++c) {
    const double x = rows.values[kernel.row_columns[c] * rows.stride + i];
    const double z = columns.values[kernel.column_columns[c] * columns.stride + j];
    x_square += x * x;
    z_square += z * z;
    switch (kernel.base) {
      case SPICYMKL_BASE_SQUARED_DISTANCE:
        sum += (x - z) * (x - z);
        break;
      case SPICYMKL_BASE_L1_DISTANCE:
        sum += std::abs(x - z);
        break;
      case SPICYMKL_BASE_CHI_SQUARED_DISTANCE:
        sum += x + z == 0 ? 0 : (x - z) * (x - z) / (x + z);
        break;
      case SPICYMKL_BASE_INTERSECTION:
        sum += std::min(x, z);
        break;
      case SPICYMKL_BASE_MATCHES:
        sum += x == z ? 1.0 / kernel.n_columns : 0;
        break;
      default:
        sum += x * z;
    }
  }
  if (kernel.base != SPICYMKL_BASE_COSINE) return sum;
  return x_square > 0 && z_square > 0 ? sum / std::sqrt(x_square * z_square) : 0;
}

inline double map(const spicymkl_device_kernel& kernel, double b) {
  const double* p = kernel.parameters;
  const double u = p[1] * std::sqrt(std::max(b, 0.0));
  switch (kernel.map) {
    case SPICYMKL_MAP_EXPONENTIAL:
      return std::exp(-p[0] * b);
    case SPICYMKL_MAP_POLYNOMIAL:
      return std::pow(p[0] * b + p[1], p[2]);
    case SPICYMKL_MAP_MATERN:
      return std::exp(-u) * (p[0] == 1.5 ? 1 + u : p[0] == 2.5 ? 1 + u + u * u / 3 : 1);
    case SPICYMKL_MAP_RATIONAL_QUADRATIC:
      return std::pow(1 + p[0] * b, -p[1]);
    default:
      return b;
  }
}

inline double entry(const spicymkl_device_kernel& kernel, const spicymkl_device_table& rows, Index i,
                    const spicymkl_device_table& columns, Index j) {
  if ((kernel.row_present && kernel.row_present[i] == 0) || (kernel.column_present && kernel.column_present[j] == 0))
    return 0;
  const double value = map(kernel, base_sum(kernel, rows, i, columns, j));
  const double added = i == j && kernel.diagonal ? kernel.diagonal[i] : 0;
  if (kernel.normalization == SPICYMKL_NORMALIZE_SCALE) return kernel.scale * value + added;
  if (kernel.normalization == SPICYMKL_NORMALIZE_PRODUCT)
    return value * (kernel.row_terms ? kernel.row_terms[i] : 1) * (kernel.column_terms ? kernel.column_terms[j] : 1) +
           added;
  return value - (kernel.row_terms ? kernel.row_terms[i] : 0) - (kernel.column_terms ? kernel.column_terms[j] : 0) +
         kernel.shift + added;
}

inline void put(void* matrix, int number_bytes, Index at, double value) {
  if (number_bytes == 8) static_cast<double*>(matrix)[at] = value;
  else static_cast<float*>(matrix)[at] = static_cast<float>(value);
}

inline int compute(spicymkl_device* device, const spicymkl_device_table* rows, const spicymkl_device_table* columns,
                   const spicymkl_device_kernel* kernels, std::int64_t count, std::int64_t stride,
                   std::int32_t number_bytes, std::int32_t symmetric) {
  for (Index k = 0; k < count; ++k)
    for (Index j = 0; j < columns->n; ++j)
      for (Index i = 0; i < rows->n; ++i) {
        const bool mirror = symmetric != 0 && i < j;
        const double value = entry(kernels[k], *rows, mirror ? j : i, *columns, mirror ? i : j);
        put(kernels[k].out, number_bytes, j * stride + i, value);
      }
  return computed(device);
}

using In = Eigen::Map<const Matrix>;
using Out = Eigen::Map<Matrix>;

inline int computed_forms(spicymkl_device* device, const spicymkl_device_table* table,
                          const spicymkl_device_kernel* kernels, std::int64_t count, const double* V,
                          std::int64_t width, double* out) {
  const In vectors(V, table->n, width);
  for (Index k = 0; k < count; ++k) {
    Matrix K(table->n, table->n);
    for (Index j = 0; j < K.cols(); ++j)
      for (Index i = j; i < K.rows(); ++i) K(i, j) = K(j, i) = entry(kernels[k], *table, i, *table, j);
    Out(out, count, width).row(k) = vectors.cwiseProduct(K * vectors).colwise().sum().cwiseMax(0.0);
  }
  return computed(device);
}

inline int computed_products(spicymkl_device* device, const spicymkl_device_table* rows,
                             const spicymkl_device_table* columns, const spicymkl_device_kernel* kernels,
                             std::int64_t count, const double* W, std::int64_t width, double* out) {
  for (Index k = 0; k < count; ++k) {
    const Matrix K = Matrix::NullaryExpr(rows->n, columns->n,
                                         [&](Index i, Index j) { return entry(kernels[k], *rows, i, *columns, j); });
    Out(out + k * rows->n * width, rows->n, width) = K * In(W, columns->n, width);
  }
  return computed(device);
}

/// Matrix k, from its lower triangle.
inline Matrix gram(const spicymkl_device_set& set, Index k) {
  Matrix K(set.n, set.n);
  for (Index j = 0; j < set.n; ++j)
    for (Index i = j; i < set.n; ++i) {
      const Index at = j * set.stride + i;
      K(i, j) = K(j, i) = set.number_bytes == 8 ? static_cast<const double*>(set.matrices[k])[at]
                                                : static_cast<double>(static_cast<const float*>(set.matrices[k])[at]);
    }
  return K;
}

inline int gather(spicymkl_device* device, const spicymkl_device_set* set, const std::int64_t* places,
                  std::int64_t n_places, std::int64_t stride, void* const* out) {
  for (Index k = 0; k < set->count; ++k) {
    const Matrix K = gram(*set, k);
    for (Index j = 0; j < n_places; ++j)
      for (Index i = 0; i < n_places; ++i) put(out[k], set->number_bytes, j * stride + i, K(places[i], places[j]));
  }
  return computed(device);
}

inline int examine(spicymkl_device* device, const spicymkl_device_set* set, double* out) {
  const auto entry_at = [&](Index k, Index i, Index j) {
    const Index at = j * set->stride + i;
    return set->number_bytes == 8 ? static_cast<const double*>(set->matrices[k])[at]
                                  : static_cast<double>(static_cast<const float*>(set->matrices[k])[at]);
  };
  for (Index k = 0; k < set->count; ++k) {
    double* found = out + 4 * k;
    std::fill(found, found + 4, 0.0);
    for (Index j = 0; j < set->n; ++j) {
      found[3] = std::max(found[3], -entry_at(k, j, j));
      for (Index i = 0; i < set->n; ++i) {
        const double value = entry_at(k, i, j);
        if (!std::isfinite(value)) found[0] = value;
        if (!std::isfinite(found[0])) continue;
        found[0] = std::max(found[0], std::abs(value));
        found[1] = std::max(found[1], std::abs(value - entry_at(k, j, i)));
        const double bound = std::sqrt(std::max(entry_at(k, i, i), 0.0)) * std::sqrt(std::max(entry_at(k, j, j), 0.0));
        found[2] = std::max(found[2], std::abs(value) - bound);
      }
    }
  }
  return computed(device);
}

inline int diagonals(spicymkl_device* device, const spicymkl_device_set* set, double* out) {
  for (Index k = 0; k < set->count; ++k) Out(out, set->n, set->count).col(k) = gram(*set, k).diagonal();
  return computed(device);
}

inline int forms(spicymkl_device* device, const spicymkl_device_set* set, const double* V, std::int64_t width,
                 double* out) {
  const In vectors(V, set->n, width);
  for (Index k = 0; k < set->count; ++k)
    Out(out, set->count, width).row(k) = vectors.cwiseProduct(gram(*set, k) * vectors).colwise().sum().cwiseMax(0.0);
  return computed(device);
}

inline int products(spicymkl_device* device, const spicymkl_device_set* set, const double* V, std::int64_t width,
                    double* out) {
  for (Index k = 0; k < set->count; ++k)
    Out(out + k * width * set->n, set->n, width) = gram(*set, k) * In(V, set->n, width);
  return computed(device);
}

inline int weighted_product(spicymkl_device* device, const spicymkl_device_set* set, const double* weights,
                            const double* V, std::int64_t width, double* out) {
  Out sum(out, set->n, width);
  sum.setZero();
  for (Index k = 0; k < set->count; ++k) sum += weights[k] * (gram(*set, k) * In(V, set->n, width));
  return computed(device);
}

inline int weighted_sum(spicymkl_device* device, const spicymkl_device_set* set, const double* weights,
                        std::int32_t add, std::int64_t stride, double* out) {
  Matrix sum = Matrix::Zero(set->n, set->n);
  for (Index k = 0; k < set->count; ++k) sum += weights[k] * gram(*set, k);
  for (Index j = 0; j < set->n; ++j)
    for (Index i = 0; i < set->n; ++i) out[j * stride + i] = sum(i, j) + (add != 0 ? out[j * stride + i] : 0);
  return computed(device);
}

}  // namespace spicymkl::testing_support::host_device

/// Over samples, or of the size of factors.
struct spicymkl_device_system {
  spicymkl_device* device;
  spicymkl::Matrix matrix;
  Eigen::LLT<spicymkl::Matrix> factor;
};

namespace spicymkl::testing_support::host_device {

inline int open_system(spicymkl_device* device, std::int64_t n, spicymkl_device_system** system) {
  *system = new spicymkl_device_system{device, Matrix(n, n), {}};
  return SPICYMKL_DEVICE_OK;
}

inline void close_system(spicymkl_device_system* system) { delete system; }

inline int set_diagonal(spicymkl_device_system* system, const double* diagonal) {
  const Index n = system->matrix.rows();
  system->matrix = In(diagonal, n, 1).col(0).asDiagonal();
  return computed(system->device);
}

inline int add_matrices(spicymkl_device_system* system, const spicymkl_device_set* set, const double* weights) {
  for (Index k = 0; k < set->count; ++k) system->matrix += weights[k] * gram(*set, k);
  return computed(system->device);
}

inline int add_columns(spicymkl_device_system* system, const double* U, std::int64_t width, double sign) {
  const In columns(U, system->matrix.rows(), width);
  system->matrix += sign * columns * columns.transpose();
  return computed(system->device);
}

inline int factor(spicymkl_device_system* system) {
  system->factor.compute(system->matrix);
  if (system->factor.info() != Eigen::Success) return SPICYMKL_DEVICE_NOT_DEFINITE;
  return computed(system->device);
}

inline int solve(spicymkl_device_system* system, double* rhs, std::int64_t width) {
  Out x(rhs, system->matrix.rows(), width);
  x = system->factor.solve(x).eval();
  return computed(system->device);
}

inline Matrix side_by_side(const spicymkl_device_factors& factors) {
  Index width = 0;
  for (Index k = 0; k < factors.count; ++k) width += factors.widths[k];
  Matrix Z(factors.n, width);
  for (Index k = 0, place = 0; k < factors.count; place += factors.widths[k++])
    Z.middleCols(place, factors.widths[k]) = In(factors.matrices[k], factors.n, factors.widths[k]);
  return Z;
}

inline int add_factors(spicymkl_device_system* system, const spicymkl_device_factors* factors, const double* roots) {
  const Matrix Z = side_by_side(*factors);
  return add_columns(system, Matrix(Z * In(roots, Z.cols(), 1).col(0).asDiagonal()).data(), Z.cols(), 1);
}

inline int gather_rows(spicymkl_device* device, const spicymkl_device_factors* factors, const std::int64_t* places,
                       std::int64_t n_places, double* const* out) {
  for (std::int64_t k = 0; k < factors->count; ++k)
    for (std::int64_t j = 0; j < factors->widths[k]; ++j)
      for (std::int64_t i = 0; i < n_places; ++i)
        out[k][j * n_places + i] = factors->matrices[k][j * factors->n + places[i]];
  return computed(device);
}

inline int factor_diagonal(spicymkl_device* device, const spicymkl_device_factors* factors, const double* weights,
                           double* out) {
  const Matrix Z = side_by_side(*factors);
  Out(out, factors->n, 1) = Z.cwiseAbs2() * In(weights, Z.cols(), 1);
  return computed(device);
}

inline int factor_sums(spicymkl_device* device, const spicymkl_device_factors* factors, const double* V,
                       std::int64_t width, double* out) {
  const Matrix Z = side_by_side(*factors);
  Out(out, Z.cols(), width) = Z.transpose() * In(V, factors->n, width);
  return computed(device);
}

inline int factor_products(spicymkl_device* device, const spicymkl_device_factors* factors, const double* W,
                           std::int64_t width, std::int32_t together, double* out) {
  const Matrix Z = side_by_side(*factors);
  const In weights(W, Z.cols(), width);
  if (together != 0) Out(out, factors->n, width) = Z * weights;
  else
    for (Index k = 0, place = 0; k < factors->count; place += factors->widths[k++])
      Out(out + k * width * factors->n, factors->n, width) =
          Z.middleCols(place, factors->widths[k]) * weights.middleRows(place, factors->widths[k]);
  return computed(device);
}

inline int multiply(spicymkl_device* device, std::int64_t rows, std::int64_t inner, std::int64_t columns,
                    const double* A, std::int64_t stride_A, const double* B, double* C, std::int64_t stride_C) {
  using Stride = Eigen::OuterStride<>;
  Eigen::Map<Matrix, 0, Stride>(C, rows, columns, Stride(stride_C)) =
      Eigen::Map<const Matrix, 0, Stride>(A, rows, inner, Stride(stride_A)) * In(B, inner, columns);
  return computed(device);
}

inline int open_rank_system(spicymkl_device* device, spicymkl_device_system** system) {
  *system = new spicymkl_device_system{device, {}, {}};
  return SPICYMKL_DEVICE_OK;
}

inline int factor_ranks(spicymkl_device_system* system, const spicymkl_device_factors* factors, const double* roots,
                        const double* diagonal, const double* low_rank, std::int64_t low_rank_width, double limit,
                        double* largest) {
  const Matrix Z = side_by_side(*factors);
  const In d(diagonal, factors->n, 1), extra(low_rank, factors->n, low_rank_width);
  system->matrix = Z * In(roots, Z.cols(), 1).col(0).cwiseAbs2().asDiagonal() * Z.transpose();
  system->matrix += extra * extra.transpose();
  *largest = system->matrix.diagonal().cwiseQuotient(d.col(0)).maxCoeff();
  system->matrix.diagonal() += d.col(0);
  return *largest < limit ? factor(system) : static_cast<int>(SPICYMKL_DEVICE_NOT_DEFINITE);
}

inline int solve_ranks(spicymkl_device_system* system, double* rhs, std::int64_t width, std::int32_t) {
  return solve(system, rhs, width);
}

inline const spicymkl_device_functions* functions() {
  static const spicymkl_device_functions table = {SPICYMKL_DEVICE_API_VERSION,
                                                  open,
                                                  close,
                                                  describe,
                                                  last_error,
                                                  allocate,
                                                  release,
                                                  copy,
                                                  copy,
                                                  compute,
                                                  computed_forms,
                                                  computed_products,
                                                  gather,
                                                  examine,
                                                  diagonals,
                                                  forms,
                                                  products,
                                                  weighted_product,
                                                  weighted_sum,
                                                  open_system,
                                                  close_system,
                                                  set_diagonal,
                                                  add_matrices,
                                                  add_factors,
                                                  add_columns,
                                                  factor,
                                                  solve,
                                                  factor_sums,
                                                  factor_products,
                                                  gather_rows,
                                                  factor_diagonal,
                                                  multiply,
                                                  open_rank_system,
                                                  factor_ranks,
                                                  solve_ranks};
  return &table;
}

}  // namespace spicymkl::testing_support::host_device

namespace spicymkl::testing_support {

/// The processor, seen through the functions of a device.
inline std::shared_ptr<const Device> open_host_device() {
  return std::make_shared<const Device>(DeviceFunctions(host_device::functions(), [](const auto*) {}));
}

}  // namespace spicymkl::testing_support
