// Kernels by features, K = ZZᵀ, with all features Z in the memory of a device.
#pragma once

#include "device.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

/// The features of some kernels, side by side in their order.
class DeviceFactors {
 public:
  struct Factor {
    std::shared_ptr<const DeviceMemory> memory;
    Index width = 0;
  };

  DeviceFactors(Index n, const std::vector<Factor>& all, KernelSet set);
  spicymkl_device_factors get() const { return {pointers_.data(), widths_.data(), std::ssize(pointers_), n_}; }
  Index width() const { return width_; }
  Index width(Index position) const { return widths_[position]; }

 private:
  Index n_;
  Index width_ = 0;
  std::vector<const double*> pointers_;
  std::vector<std::int64_t> widths_;
};

class DeviceFeatureBank final : public KernelBank, public KernelFactors, public KernelSums {
 public:
  /// Every kernel has features. Nyström features are computed on the device, others here.
  DeviceFeatureBank(std::shared_ptr<const Device> device, std::shared_ptr<const Samples> training,
                    std::vector<FittedKernel> kernels, int threads, Watch watch);

  /// Bytes that the features of these kernels take.
  static double bytes_for(const std::vector<FittedKernel>& kernels, Index n_samples);

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return traces_(kernel); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override;
  KernelSubsets subsets() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  std::string name(Index kernel) const override { return kernels_[kernel].spec().name; }
  std::vector<BankUse> use() const override;

  const KernelFactors* factors() const override { return this; }
  Index factor_width(Index kernel) const override { return factors_[kernel].width; }
  void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const override;
  void rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override {
    weighted_product(set, weights, V, out);
  }
  const KernelSums* sums() const override { return this; }
  /// By the processor: few samples have as many features as that.
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;

  const std::shared_ptr<const Device>& device() const { return device_; }
  DeviceFactors side_by_side(KernelSet set) const { return {n_samples(), factors_, set}; }

 private:
  /// Views of some kernels of another bank.
  DeviceFeatureBank(const DeviceFeatureBank& whole, const std::vector<Index>& kernels);
  /// All kernels on these rows, whose features are copied on the device.
  DeviceFeatureBank(const DeviceFeatureBank& whole, std::span<const std::int64_t> rows);
  DeviceFactors::Factor compute(const FittedKernel& kernel, const DeviceMemory& table) const;
  /// Z ← the features, computed on the device from the table there, or here.
  void fill_by_landmarks(const FittedKernel& kernel, const DeviceMemory& table, double* Z) const;
  void fill_from_here(const FittedKernel& kernel, double* Z) const;
  Matrix feature_sums(const DeviceFactors& factors, ConstMatrixRef V) const;

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Samples> training_;  // null on some of the rows, whose features are there
  std::vector<FittedKernel> kernels_;
  std::vector<DeviceFactors::Factor> factors_;
  Vector traces_;
};

}  // namespace spicymkl
