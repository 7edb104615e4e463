// A device that is open, its memory, and its failures as exceptions.
#pragma once

#include <cstdint>
#include <span>

#include "plugin.hpp"
#include "spicymkl/core/types.hpp"
#include "spicymkl/device/device.hpp"

namespace spicymkl {

class Device {
 public:
  /// Opens the device of that number. No such device is an InputError.
  explicit Device(DeviceFunctions functions, int number = 0);
  ~Device() { functions_->close(handle_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const spicymkl_device_functions& functions() const { return *functions_; }
  spicymkl_device* handle() const { return handle_; }
  const std::string& name() const { return name_; }
  double total_bytes() const { return total_bytes_; }
  /// Bytes that can be had now.
  double free_bytes() const;

  /// Throws InputError, in one sentence, when a call failed.
  void check(int status) const;
  /// The same for a factorisation: false when the matrix is not positive definite.
  bool is_definite(int status) const;

 private:
  DeviceFunctions functions_;
  spicymkl_device* handle_ = nullptr;
  std::string name_;
  double total_bytes_ = 0;
};

/// Memory of a device, given back in the end.
class DeviceMemory {
 public:
  DeviceMemory(std::shared_ptr<const Device> device, double bytes);
  ~DeviceMemory() { device_->functions().release(device_->handle(), memory_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  template <class Number>
  Number* numbers() const {
    return static_cast<Number*>(memory_);
  }

 private:
  std::shared_ptr<const Device> device_;
  void* memory_ = nullptr;
};

/// A matrix of doubles, copied to a device.
std::shared_ptr<const DeviceMemory> send(const std::shared_ptr<const Device>& device, ConstMatrixRef values);

}  // namespace spicymkl
