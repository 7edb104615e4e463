// Few of many kernels, with numbers of their own: what a working set and a path solve over.
#pragma once

#include <vector>

#include "spicymkl/solver/result.hpp"

namespace spicymkl {

/// In the order they entered. `global` numbers are those of the whole bank, `local` ones those of the subset.
class ActiveKernels {
 public:
  explicit ActiveKernels(Index n_kernels) : position_(n_kernels, -1) {}

  void add(const std::vector<Index>& kernels);
  /// Forgets all others.
  void keep_only(const std::vector<Index>& kernels);
  bool contains(Index kernel) const { return position_[kernel] >= 0; }
  Index size() const { return std::ssize(kernels_); }
  const std::vector<Index>& kernels() const { return kernels_; }

  /// Of the kernels that are not among these, those with the largest norms above `threshold`, `count` of them at most.
  std::vector<Index> largest_outside(const Vector& norms, double threshold, Index count) const;

  /// Without the model that the start comes with, which belongs to the whole problem.
  WarmStart to_local(WarmStart start) const;
  WarmStart to_global(WarmStart start) const;
  /// Its model and its warm start.
  Result to_global(Result result) const;

 private:
  std::vector<Index> kernels_;
  std::vector<Index> position_;  // of a kernel in kernels_, −1 outside
};

}  // namespace spicymkl
