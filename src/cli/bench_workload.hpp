// A workload of `bench`: generated samples, random-subset Gaussians of unit trace in memory, and the yardstick U on
// them.
#pragma once

#include <memory>
#include <string>

#include "spicymkl/device/device.hpp"

namespace spicymkl::cli {

struct WorkloadSize {
  std::string data;
  Index n_samples = 0, n_kernels = 0;
  bool single = false;  ///< kernels in single precision
  Index rank = 0;       ///< of kernels by Nyström features; 0: the kernels themselves
  std::uint64_t seed = 1;
  int threads = 0;
  std::shared_ptr<const Device> device = nullptr;  ///< that the kernels are on; null: the processor
};

struct BenchWorkload {
  std::shared_ptr<const KernelBank> bank;
  std::shared_ptr<const KernelBank> exact;  ///< the same kernels exactly, where the bank has approximations; else null
  Vector labels;
  double unit = 0;  ///< U in seconds: one pass of ρᵀK_mρ over all kernels and one Cholesky factorisation, the best of 3
  double pass = 0;     ///< the first part of U
  double seconds = 0;  ///< from the table to the bank
};

BenchWorkload make_workload(const WorkloadSize& size);

}  // namespace spicymkl::cli
