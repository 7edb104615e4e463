#include "merge_kernels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

namespace spicymkl {

namespace {

/// All that the values of a kernel depend on.
struct Identity {
  const KernelSpec* spec;
  std::vector<Index> columns;  ///< in order

  explicit Identity(const KernelSpec& of) : spec(&of), columns(of.columns) {
    std::sort(columns.begin(), columns.end());
  }
  bool operator==(const Identity& other) const {
    return columns == other.columns && spec->parameters == other.spec->parameters && spec->type == other.spec->type &&
           spec->normalize == other.spec->normalize && spec->jitter == other.spec->jitter &&
           spec->features == other.spec->features;
  }
};

struct IdentityHash {
  std::size_t operator()(const Identity& identity) const {
    std::size_t hash = std::hash<std::string>()(identity.spec->type);
    const auto mix = [&](std::size_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15u; };
    for (const auto& [name, value] : identity.spec->parameters) mix(std::hash<double>()(value));
    for (const Index column : identity.columns) mix(column);
    return hash;
  }
};

}  // namespace

std::vector<std::vector<std::string>> merge_identical(std::vector<KernelSpec>& kernels) {
  std::unordered_map<Identity, std::size_t, IdentityHash> places;  // among those that are kept
  places.reserve(kernels.size());
  std::map<std::size_t, std::vector<std::string>> merged;  // by the place of the kernel that stays
  std::vector<bool> stays(kernels.size());
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    const KernelSpec& kernel = kernels[m];
    const auto [entry, is_new] = places.emplace(Identity(kernel), m);
    stays[m] = is_new;
    if (is_new) continue;
    KernelSpec& first = kernels[entry->second];
    std::vector<std::string>& names = merged[entry->second];
    if (names.empty()) names.push_back(first.name);
    names.push_back(kernel.name);
    if (first.group.empty()) first.group = kernel.group;
  }
  places.clear();
  if (!merged.empty()) {
    std::size_t kept = 0;
    for (std::size_t m = 0; m < kernels.size(); ++m) {
      if (!stays[m]) continue;
      if (kept != m) kernels[kept] = std::move(kernels[m]);
      ++kept;
    }
    kernels.resize(kept);
  }
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
