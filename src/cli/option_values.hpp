// The values of an option table as text.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/option_table.hpp"
#include "pipeline/checkpoint.hpp"

namespace spicymkl::cli {

/// Adds those of a table to what a run is known by, but those named in `left_out`.
template <class Options>
void add_values(const OptionTable<Options>& table, const Options& options, const std::vector<std::string>& left_out,
                RunIdentity& identity) {
  const auto text = [](const auto& value) -> std::string {
    if constexpr (requires { value.begin(); } && !std::is_same_v<std::decay_t<decltype(value)>, std::string>)
      return fmt::format("{}", fmt::join(value, ","));
    else return fmt::format("{}", value);
  };
  for (const auto& option : table)
    if (std::find(left_out.begin(), left_out.end(), option.name) == left_out.end())
      identity[option.name] = std::visit([&](const auto member) { return text(options.*member); }, option.member);
}

}  // namespace spicymkl::cli
