// The devices that tests run over: the processor as one, and a GPU where there is one.
#pragma once

#include "host_device.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::testing_support {

enum class TestDevice { host, cuda };

/// Why there is no GPU to test with; empty where there is one.
inline std::string& no_device() {
  static std::string why;
  return why;
}

/// The first GPU, opened once; null where there is none.
inline std::shared_ptr<const Device> cuda_device() {
  static const std::shared_ptr<const Device> device = []() -> std::shared_ptr<const Device> {
    try {
      return open_cuda();
    } catch (const InputError& error) {
      no_device() = error.what();
      return nullptr;
    }
  }();
  return device;
}

inline std::shared_ptr<const Device> open_device(TestDevice which) {
  return which == TestDevice::cuda ? cuda_device() : open_host_device();
}

}  // namespace spicymkl::testing_support
