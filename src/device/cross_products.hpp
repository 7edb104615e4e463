// Kernels between new rows and rows known before, times vectors, on a device: what predictions are made of.
#pragma once

#include "device.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

class CrossProducts {
 public:
  CrossProducts(std::shared_ptr<const Device> device, const Samples& fresh, const Samples& training);

  /// A kernel between rows of the tables, with the terms of all of these.
  struct Member {
    const FittedKernel* kernel;
    const RowTerms *fresh, *training;
  };
  static bool knows(const FittedKernel& kernel);
  /// Of every kernel a matrix K W, K between new rows [first, first + count) and all training rows.
  std::vector<Matrix> products(const std::vector<Member>& members, ConstMatrixRef W, Index first, Index count) const;

  static bool knows_features(const FittedKernel& kernel);
  /// Raw features of these new rows, times W.
  Matrix features(const FittedKernel& kernel, const Samples& fresh, ConstMatrixRef W, Index first, Index count) const;

 private:
  spicymkl_device_table rows(Index first, Index count) const;

  std::shared_ptr<const Device> device_;
  Index n_fresh_, n_training_;
  std::shared_ptr<const DeviceMemory> fresh_, training_;
};

/// KW of `count` rows of a kernel that is on the device, row after row.
Matrix row_products(const std::shared_ptr<const Device>& device, const double* rows, Index count, ConstMatrixRef W);

}  // namespace spicymkl
