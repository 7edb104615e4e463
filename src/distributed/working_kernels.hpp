// The kernels of a working set, on rank 0.
#pragma once

#include <map>

#include "distributed_bank.hpp"

namespace spicymkl {

/// Keeps what the last subset was made of, so that the next computes and asks only for what is new.
class WorkingKernels {
 public:
  /// The bank must outlive it.
  explicit WorkingKernels(const DistributedBank& bank) : bank_(bank) {}

  std::shared_ptr<const KernelBank> subset(const std::vector<Index>& kernels);

 private:
  std::shared_ptr<const KernelBank> low_rank(const std::vector<Index>& kernels);
  std::shared_ptr<const KernelBank> dense(const std::vector<Index>& kernels);
  std::shared_ptr<const KernelBank> by_features(const std::vector<Index>& kernels);
  std::shared_ptr<const KernelBank> over_ranks(const std::vector<Index>& kernels);
  void fetch_factors(const std::vector<Index>& kernels);
  void compute_matrices(const std::vector<Index>& kernels);
  std::vector<std::string> names(const std::vector<Index>& kernels) const;
  /// Others wait while rank 0 works on these kernels.
  int threads() const;

  const DistributedBank& bank_;
  std::map<Index, Matrix> factors_;
  std::map<Index, std::shared_ptr<const double>> matrices_;
  // Of matrices that stay with their ranks, what these keep from one subset to the next.
  std::shared_ptr<RemoteNumber> session_;
  KernelSubsets mine_ = {};
  // Those by features are all here: they need no memory.
  std::shared_ptr<const KernelBank> features_;
  decltype(KernelSubsets::of) feature_subsets_;
  std::map<Index, Index> number_among_features_;
};

}  // namespace spicymkl
