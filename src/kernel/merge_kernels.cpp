#include "spicymkl/kernel/merge_kernels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace spicymkl {

namespace {

/// All that the values of a kernel depend on.
using Identity = std::tuple<std::string, KernelParameters, std::vector<Index>, Normalize, double>;

Identity identity_of(const KernelSpec& spec) {
  std::vector<Index> columns = spec.columns;
  std::sort(columns.begin(), columns.end());
  return {spec.type, spec.parameters, std::move(columns), spec.normalize, spec.jitter};
}

}  // namespace

std::vector<std::vector<std::string>> merge_identical(std::vector<KernelSpec>& kernels) {
  std::map<Identity, std::size_t> places;
  std::map<std::size_t, std::vector<std::string>> merged;  // by the place of the kernel that stays
  std::vector<KernelSpec> kept;
  for (KernelSpec& kernel : kernels) {
    const auto [entry, is_new] = places.emplace(identity_of(kernel), kept.size());
    if (is_new) {
      kept.push_back(std::move(kernel));
      continue;
    }
    KernelSpec& first = kept[entry->second];
    std::vector<std::string>& names = merged[entry->second];
    if (names.empty()) names.push_back(first.name);
    names.push_back(kernel.name);
    if (first.group.empty()) first.group = kernel.group;
  }
  kernels = std::move(kept);
  std::vector<std::vector<std::string>> sets;
  for (auto& [place, names] : merged) sets.push_back(std::move(names));
  return sets;
}

std::string merged_text(const std::vector<std::vector<std::string>>& merged) {
  if (merged.empty()) return "";
  constexpr std::size_t kShown = 5;
  const std::vector<std::string>& first = merged.front();
  if (merged.size() == 1 && first.size() <= kShown)
    return fmt::format("{} kernels are the same and were merged: '{}'", first.size(), fmt::join(first, "', '"));
  std::size_t left_out = 0;
  for (const auto& names : merged) left_out += names.size() - 1;
  return fmt::format("{} kernels are the same as others of the list and were merged with them, such as '{}' with '{}'",
                     left_out, first[1], first[0]);
}

}  // namespace spicymkl
