// A kernel as the functions of a device are asked for it.
#pragma once

#include <vector>

#include "device.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

/// Whether devices know the kernel: not those of users.
bool devices_compute(const FittedKernel& kernel);

/// Owns what the request points at.
class KernelRequest {
 public:
  /// Between all training rows, written to `out` on the device.
  KernelRequest(const FittedKernel& kernel, const Samples& training, void* out);
  /// Between rows and columns that have these terms; for computed_products, which needs no place to write to.
  KernelRequest(const FittedKernel& kernel, RowTerms rows, RowTerms columns);
  /// The raw features of a Nyström map of these training rows: between the rows from `first` on and the landmarks.
  KernelRequest(const FittedKernel& kernel, const Samples& training, Index first, Index count, void* out);

  spicymkl_device_kernel get() const;

 private:
  KernelRequest(const FittedKernel& kernel, void* out);

  spicymkl_device_kernel kernel_{};
  std::vector<std::int32_t> row_columns_, column_columns_;
  RowTerms row_terms_, column_terms_;
  Vector diagonal_;
};

/// Whether the features of a kernel are of the kind that KernelRequest asks for.
bool devices_compute_features(const FittedKernel& kernel);

/// Gram matrices of these kernels, on the device with `stride` and numbers of so many bytes. `table` has the rows of
/// `training`. What the device does not know is computed here and sent.
void compute_grams(const Device& device, const spicymkl_device_table& table, const Samples& training,
                   const std::vector<const FittedKernel*>& kernels, std::span<void* const> out, Index stride,
                   int number_bytes, int threads);

}  // namespace spicymkl
