// Columns of n numbers each, wherever they lie on the device: products with many of them at once.
#pragma once

#include "device.cuh"

namespace spicymkl::cuda {

/// On the device.
struct Columns {
  const double* const* columns;
  const double* scales;  ///< of each column; null: 1
  std::int64_t count;
  std::int64_t n;
};

/// Pointers to the columns of all factors, in the process.
std::vector<const double*> columns_of(const spicymkl_device_factors& factors);

/// out(c, p) = scale_c · columns_cᵀ v_p with `stride` numbers from a column of out to the next; V is n × width.
void column_sums(spicymkl_device& device, const Columns& columns, const double* V, std::int64_t width, double* out,
                 std::int64_t stride);

/// out(·, p) = Σ_c columns_c scale_c W(c, p) over the columns [ends[g], ends[g + 1]) of each group, one n × width block
/// after the other; W has `stride` numbers from a column to the next. ends is on the device.
void column_products(spicymkl_device& device, const Columns& columns, const std::int64_t* ends, std::int64_t groups,
                     const double* W, std::int64_t stride, std::int64_t width, double* out);

}  // namespace spicymkl::cuda
