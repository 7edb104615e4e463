// Tables of things that users choose by name: losses, penalties, kernels, solvers.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace spicymkl {

/// Throws InputError: "loss 'logistc' is not known (did you mean 'logistic'?); choose one of logistic, hinge".
[[noreturn]] void refuse_name(std::string_view what, std::string_view name, const std::vector<std::string>& known);

template <class Entry>
std::vector<std::string> names_of(const std::vector<Entry>& table) {
  std::vector<std::string> names;
  for (const Entry& entry : table) names.emplace_back(entry.name);
  return names;
}

/// Null if there is none of that name.
template <class Entry>
const Entry* find_named(const std::vector<Entry>& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  return found == table.end() ? nullptr : &*found;
}

/// A name that is not in the table is an InputError; `what` is "loss" or the like.
template <class Entry>
const Entry& get_named(const std::vector<Entry>& table, std::string_view name, std::string_view what) {
  if (const Entry* entry = find_named(table, name)) return *entry;
  refuse_name(what, name, names_of(table));
}

/// The names of those that take a parameter.
template <class Entry>
std::vector<std::string> names_with(const std::vector<Entry>& table, std::string_view parameter) {
  std::vector<std::string> names;
  for (const Entry& entry : table)
    if (std::ranges::count(entry.parameters, parameter) > 0) names.push_back(entry.name);
  return names;
}

}  // namespace spicymkl
