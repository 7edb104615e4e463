#include "active_kernels.hpp"

#include <algorithm>

namespace spicymkl {

namespace {

void renumber(const std::vector<Index>& number, std::vector<Index>& kernels) {
  for (Index& kernel : kernels) kernel = number[kernel];
}

WarmStart renumbered(WarmStart start, const std::vector<Index>& number) {
  renumber(number, start.kernels);
  start.model.reset();
  return start;
}

}  // namespace

void ActiveKernels::add(const std::vector<Index>& kernels) {
  for (const Index m : kernels) {
    if (contains(m)) continue;
    position_[m] = size();
    kernels_.push_back(m);
  }
}

void ActiveKernels::keep_only(const std::vector<Index>& kernels) {
  *this = ActiveKernels(std::ssize(position_));
  add(kernels);
}

std::vector<Index> ActiveKernels::largest_outside(const Vector& norms, double threshold, Index count) const {
  std::vector<Index> outside;
  for (Index m = 0; m < norms.size(); ++m)
    if (norms(m) > threshold && !contains(m)) outside.push_back(m);
  const auto keep = std::min(count, std::ssize(outside));
  std::partial_sort(outside.begin(), outside.begin() + keep, outside.end(),
                    [&](Index a, Index b) { return norms(a) > norms(b) || (norms(a) == norms(b) && a < b); });
  outside.resize(keep);
  return outside;
}

WarmStart ActiveKernels::to_local(WarmStart start) const { return renumbered(std::move(start), position_); }

WarmStart ActiveKernels::to_global(WarmStart start) const { return renumbered(std::move(start), kernels_); }

Result ActiveKernels::to_global(Result result) const {
  renumber(kernels_, result.expansion.kernels);
  result.warm_start = to_global(std::move(result.warm_start));
  return result;
}

}  // namespace spicymkl
