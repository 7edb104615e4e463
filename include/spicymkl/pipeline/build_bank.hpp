// From fitted kernels to the bank that answers for them: the one place where the form of a bank is chosen.
#pragma once

#include <functional>
#include <memory>

#include "spicymkl/bank/bank.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

struct BankOptions {
  double memory = 0;  ///< bytes it may take; 0: half of what is free
  int threads = 0;    ///< 0: all cores
  /// Told after each kernel how many are done; false ends the work with Interrupted.
  std::function<bool(Index done, Index all)> progress;
};

/// The user wants it to end; there is nothing to hand back.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

/// Kernels that do not fit into the memory are an InputError.
std::shared_ptr<const KernelBank> build_bank(const std::vector<FittedKernel>& kernels, const Samples& samples,
                                             const BankOptions& options);

/// Bytes of memory that the system would hand out now.
double free_memory();

}  // namespace spicymkl
