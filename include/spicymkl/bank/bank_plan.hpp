// In which form each kernel is kept, and what that takes in memory and time: worked out before a kernel is computed.
#pragma once

#include <memory>
#include <vector>

#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

class BankMaker;

struct BankOptions {
  double memory = 0;              ///< bytes the bank may use; 0: half of what is free
  double expected_passes = 5;     ///< how often a solver will read every kernel: few with a working set, many without
  double rank_tolerance = 1e-10;  ///< of low-rank factors, relative to the trace
  int threads = 0;                ///< 0: all cores
  Watch watch;                    ///< of the bank, and while it is made
  /// Where banks are made: for each of its processes, memory and threads are as above. Null: in this process.
  std::shared_ptr<const BankMaker> maker = nullptr;
};

/// Half of the memory that is free now; with a maker, what each of its processes may take.
double default_bank_memory(const BankMaker* maker = nullptr);
/// The options with a number in place of "half of what is free".
BankOptions with_known_memory(BankOptions options);

enum class KernelForm {
  low_rank,    ///< a factor Z with K ≈ ZZᵀ
  dense,       ///< N×N numbers
  single,      ///< the same in single precision
  on_the_fly,  ///< computed at every pass
  features     ///< by features, computed at every pass
};

/// All that the cost of a kernel depends on.
struct KernelOutline {
  Index n_columns = 1;
  Index family = 0;    ///< kernels of one family have the same base values, which are computed once
  Index rank = 0;      ///< of its factor, guessed or known; 0: it has none worth keeping
  bool tried = false;  ///< whether a factor is looked for, found or not
  Index n_raw = 0;     ///< features that a row has, of a kernel by features; else 0
  bool given = false;  ///< whether the factor is there already, made of the features of the kernel: nothing is left out
};

struct BankPlan {
  Index n_samples = 0;
  std::vector<KernelOutline> kernels;
  std::vector<KernelForm> forms;  ///< one per kernel
  double bytes = 0;               ///< of all that is kept
  double working_bytes = 0;       ///< beside that, for matrices of the kernels on the fly that a solver works with
  double subset_bytes = 0;        ///< of these, for the matrices of a working set
  double build_seconds = 0;       ///< to compute what is kept
  double pass_seconds = 0;        ///< to read or compute every kernel once, as for the quadratic forms of a vector
  int threads = 1;

  Index count(KernelForm form) const;
};

/// Chooses for each kernel by cost under the memory budget, in their order:
/// - low rank, where there is a factor and room for it;
/// - dense, when computing it once and reading it `expected_passes` times is cheaper than computing it every time, and
///   there is room; in single precision when only that fits;
/// - on the fly otherwise.
/// It computes nothing and depends on its arguments alone: `options.memory` must be given. Seconds are those of the
/// machine that the constants were measured on; see machine_slowness().
BankPlan plan_bank(Index n_samples, std::vector<KernelOutline> kernels, const BankOptions& options);

/// Matrices that are in memory already.
BankPlan plan_of_matrices(Index n_samples, Index n_kernels, int threads);

/// Rank beyond which it does not pay to look for a factor: its passes would cost as much as those of the dense matrix,
/// and finding it more than that.
Index largest_rank(Index n_samples);

/// Outlines with guessed ranks, from a few hundred rows of a few dozen kernels: in a fraction of a second, however
/// many rows or kernels there are.
std::vector<KernelOutline> outline_kernels(const Samples& training, const std::vector<FittedKernel>& kernels,
                                           double rank_tolerance);

/// How many times slower than the machine of the constants this one is now, by a measurement of a few milliseconds.
double machine_slowness();

}  // namespace spicymkl
