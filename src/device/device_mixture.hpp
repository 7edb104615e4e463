// A weighted sum of kernels in the memory of a device.
#pragma once

#include <optional>

#include "device_system.hpp"

namespace spicymkl {

class DeviceMixture final : public KernelMixture {
 public:
  DeviceMixture(const GramStore& store, KernelSet set, ConstVectorRef weights, Watch watch);

  void product(ConstMatrixRef V, MatrixRef out) const override;
  bool factor(const std::vector<Index>& samples, ConstVectorRef diagonal) override;
  void solve(MatrixRef rhs) override { system_->solve(rhs); }

 private:
  std::shared_ptr<const Device> device_;
  Watch watch_;
  GramLayout layout_;
  DeviceMemory sum_;
  std::optional<DeviceSystemHandle> system_;  // over some samples
};

}  // namespace spicymkl
