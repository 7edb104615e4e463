// From a table and a list of kernels to a bank: each kernel is kept in the form that costs least.
#pragma once

#include "spicymkl/bank/bank.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

struct BankOptions {
  double memory = 0;              ///< bytes the bank may use; 0: half of what is free
  double expected_passes = 5;     ///< how often a solver will read every kernel: few with a working set, many without
  double rank_tolerance = 1e-10;  ///< of low-rank factors, relative to the trace
  int threads = 0;                ///< 0: all cores
  Watch watch;                    ///< of the bank, and while it is made
};

/// Half of the memory that is free now.
double default_bank_memory();

/// Chooses for each kernel by cost under the memory budget:
/// - low rank, when few columns or a low degree promise it and pivoted Cholesky confirms it;
/// - dense, when computing it once and reading it `expected_passes` times is cheaper than computing it every time, and
///   there is room; in single precision when only that fits;
/// - on the fly otherwise. The working set of a solver is then kept dense while it fits.
std::shared_ptr<const KernelBank> make_bank(std::shared_ptr<const Samples> training,
                                            const std::vector<FittedKernel>& kernels, const BankOptions& options);

/// Every kernel on the fly: exact, and needs no memory. What certificates of approximated kernels are taken on.
std::shared_ptr<const KernelBank> make_exact_bank(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, int threads,
                                                  Watch watch = {},
                                                  double work_bytes = std::numeric_limits<double>::infinity());

/// Every kernel as a dense matrix in double precision.
std::shared_ptr<const KernelBank> make_dense_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                  int threads);

/// The same in single precision: half the bytes, and not exact.
std::shared_ptr<const KernelBank> make_single_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                   int threads);

}  // namespace spicymkl
