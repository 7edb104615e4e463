// From a table and a list of kernels to a bank: each kernel is kept in the form that costs least.
#pragma once

#include "spicymkl/bank/bank.hpp"
#include "spicymkl/bank/bank_plan.hpp"

namespace spicymkl {

/// Makes banks elsewhere than in this process alone. It gives up what is being made when the watch of the options says
/// so, by Stopped.
class BankMaker {
 public:
  virtual ~BankMaker() = default;
  /// As make_bank() does, from a plan with guessed ranks.
  virtual std::shared_ptr<const KernelBank> make(std::shared_ptr<const Samples> training,
                                                 const std::vector<FittedKernel>& kernels, const BankPlan& guess,
                                                 const BankOptions& options) const = 0;
  /// As make_exact_bank() does.
  virtual std::shared_ptr<const KernelBank> make_exact(std::shared_ptr<const Samples> training,
                                                       const std::vector<FittedKernel>& kernels,
                                                       const BankOptions& options, double work_bytes) const = 0;
  /// The bank that answers over `bank` are to be proved on; null where that is `bank` itself.
  virtual std::shared_ptr<const KernelBank> make_proof(std::shared_ptr<const Samples> training,
                                                       const std::vector<FittedKernel>& kernels,
                                                       const BankOptions& options, const KernelBank& bank) const {
    return bank.exact() ? nullptr : make_exact(std::move(training), kernels, options, bank.work_bytes());
  }
  /// Among how many a bank is divided.
  virtual int n_processes() const = 0;
  /// Bytes that each of them may use where nobody says.
  virtual double default_memory() const = 0;
};

/// Keeps each kernel in the form that plan_bank() chooses, once pivoted Cholesky has confirmed or refuted the low ranks
/// that a few columns or a low degree promise. The working set of a solver is kept dense while it fits.
std::shared_ptr<const KernelBank> make_bank(std::shared_ptr<const Samples> training,
                                            const std::vector<FittedKernel>& kernels, const BankOptions& options);

/// The same from a plan that was made with these options, of guessed ranks.
std::shared_ptr<const KernelBank> make_bank(std::shared_ptr<const Samples> training,
                                            const std::vector<FittedKernel>& kernels, const BankPlan& guess,
                                            const BankOptions& options);

/// Every kernel on the fly: exact, and needs no memory. What certificates of approximated kernels are taken on.
std::shared_ptr<const KernelBank> make_exact_bank(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, int threads,
                                                  Watch watch = {},
                                                  double work_bytes = std::numeric_limits<double>::infinity());
/// The same where the options say: of these, maker, threads and watch.
std::shared_ptr<const KernelBank> make_exact_bank(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, const BankOptions& options,
                                                  double work_bytes);

/// The bank that answers over `bank`, made with these options, are to be proved on; null where that is `bank` itself.
std::shared_ptr<const KernelBank> make_proof_bank(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, const BankOptions& options,
                                                  const KernelBank& bank);

/// Every kernel as a dense matrix in double precision.
std::shared_ptr<const KernelBank> make_dense_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                  int threads);

/// The same in single precision: half the bytes, and not exact.
std::shared_ptr<const KernelBank> make_single_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                   int threads);

}  // namespace spicymkl
