// A workload of `bench`: generated samples, random-subset Gaussians of unit trace in memory, and the yardstick U on
// them.
#pragma once

#include <memory>
#include <string>

#include "spicymkl/bank/bank.hpp"

namespace spicymkl::cli {

struct WorkloadSize {
  std::string data;
  Index n_samples = 0, n_kernels = 0;
  bool single = false;  ///< kernels in single precision
  std::uint64_t seed = 1;
  int threads = 0;
};

struct BenchWorkload {
  std::shared_ptr<const KernelBank> bank;
  std::shared_ptr<const KernelBank> exact;  ///< the same kernels exactly, where the bank has approximations; else null
  Vector labels;
  double unit = 0;  ///< U in seconds: one pass of ρᵀK_mρ over all kernels and one Cholesky factorisation, the best of 3
};

BenchWorkload make_workload(const WorkloadSize& size);

}  // namespace spicymkl::cli
