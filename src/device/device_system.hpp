// Newton systems that a device assembles, factors and solves.
#pragma once

#include "gram_store.hpp"
#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// A system of a device, closed in the end.
class DeviceSystemHandle {
 public:
  /// Of the size of n samples.
  DeviceSystemHandle(std::shared_ptr<const Device> device, Index n);
  /// Of the size of factors.
  explicit DeviceSystemHandle(std::shared_ptr<const Device> device);
  ~DeviceSystemHandle() { device_->functions().close_system(system_); }
  DeviceSystemHandle(const DeviceSystemHandle&) = delete;
  DeviceSystemHandle& operator=(const DeviceSystemHandle&) = delete;

  const Device& device() const { return *device_; }
  const spicymkl_device_functions& functions() const { return device_->functions(); }
  spicymkl_device_system* get() const { return system_; }

  // Of the size of samples: the diagonal first, then kernels, then the other columns.

  void set_diagonal(const NewtonTerms& terms);
  void add_low_rank(const NewtonTerms& terms);
  /// False when it is not positive definite.
  [[nodiscard]] bool factor();
  void solve(MatrixRef rhs);

 private:
  std::shared_ptr<const Device> device_;
  spicymkl_device_system* system_ = nullptr;
};

class DeviceNewtonSystem final : public NewtonSystem {
 public:
  /// `store` must outlive the system.
  DeviceNewtonSystem(const GramStore& store, Watch watch);

  bool factor(const NewtonTerms& terms) override;
  void solve(MatrixRef rhs) override;

 private:
  const GramStore& store_;
  Watch watch_;
  DeviceSystemHandle system_;
};

}  // namespace spicymkl
