// From the library's option tables to the command line.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>

#include "core/option_table.hpp"

namespace spicymkl::cli {

/// Options in this group are named in the short help and explained by --help-all.
inline constexpr const char* kRareGroup = "More options";

inline std::string flag_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

/// As they are typed: -o, --output.
inline std::vector<std::string> flags_of(const CLI::Option& option) {
  std::vector<std::string> flags;
  for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flags.push_back("--" + name);
  return flags;
}

inline std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options())
    for (std::string& flag : flags_of(*option)) flags.push_back(std::move(flag));
  return flags;
}

/// Those that --help lists.
inline std::vector<const CLI::App*> visible_commands(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); });
}

/// For seeds: of what is below 0 or too large the parser would take something else, without a word.
inline CLI::Validator whole_number() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size() ? "" : "not a whole number";
      },
      "");
}

/// With the choices; "auto" needs no place among them, as the help says what it is.
template <class Options>
std::string help_text(const Option<Options>& option) {
  std::vector<std::string> choices = option.choices;
  std::erase(choices, "auto");
  return option.help + (choices.empty() ? "" : fmt::format(": {}", fmt::join(choices, ", ")));
}

template <class Options, class Value>
CLI::Option* add_option(CLI::App& app, const Option<Options>& option, Value& value) {
  const std::string name = flag_name(option.name);
  if constexpr (std::is_same_v<Value, bool>) {
    if (option.negation.empty()) return app.add_flag(name, value, help_text(option));
    return app.add_flag_callback(
        flag_name(option.negation), [&value] { value = false; }, "do not " + option.help);
  } else if constexpr (std::is_same_v<Value, std::vector<double>> || std::is_same_v<Value, std::vector<std::string>>) {
    return app.add_option(name, value, help_text(option))->delimiter(',')->allow_extra_args(false);
  } else {
    CLI::Option* added = app.add_option(name, value, help_text(option));
    if constexpr (std::is_unsigned_v<Value>) added->check(whole_number());
    if constexpr (std::is_same_v<Value, std::string>) return value.empty() ? added : added->capture_default_str();
    else return added->capture_default_str();
  }
}

/// Adds the options of a table but those named in `left_out`. `values` must live until the command line is parsed.
template <class Options>
void add_options(CLI::App& app, const OptionTable<Options>& table, Options& values,
                 const std::vector<std::string>& left_out = {}) {
  for (const Option<Options>& option : table) {
    if (std::find(left_out.begin(), left_out.end(), option.name) != left_out.end()) continue;
    CLI::Option* added =
        std::visit([&](const auto member) { return add_option(app, option, values.*member); }, option.member);
    if (option.rare) added->group(kRareGroup);
  }
}

}  // namespace spicymkl::cli
