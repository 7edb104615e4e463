#include "kernel_register.hpp"

#include <algorithm>

namespace spicymkl {

KernelRegister::KernelRegister(const Model& outline) {
  for (const std::string& name : outline.kernel_names) {
    by_name_.emplace(name, std::ssize(kernels_));
    kernels_.push_back({name, 0});
  }
  for (const Source& source : kernel_sources(outline)) {
    for (const Index kernel : source.kernels) kernels_[kernel].source = std::ssize(sources_);
    sources_.push_back(source.name);
  }
  if (outline.table)
    for (Index m = 0; m < outline.n_kernels(); ++m) by_place_[place_of(*outline.table->specs[m])].push_back(m);
}

std::vector<Index> KernelRegister::numbers(const TrainingInput& input) const {
  const Index n_kernels = input.bank->n_kernels();
  std::vector<Index> numbers(n_kernels, -1);
  std::vector<bool> taken(kernels_.size(), false);
  for (Index m = 0; m < n_kernels; ++m)
    if (const auto found = by_name_.find(input.bank->name(m)); found != by_name_.end()) {
      numbers[m] = found->second;
      taken[found->second] = true;
    }
  if (!input.table) return numbers;
  for (Index m = 0; m < n_kernels; ++m) {
    if (numbers[m] >= 0) continue;
    const auto here = by_place_.find(place_of(input.table->kernels[m].spec()));
    if (here == by_place_.end()) continue;
    const auto next = std::ranges::find_if(here->second, [&](Index number) { return !taken[number]; });
    if (next == here->second.end()) continue;
    numbers[m] = *next;
    taken[*next] = true;
  }
  return numbers;
}

}  // namespace spicymkl
