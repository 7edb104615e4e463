#include "option_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "option_registry.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

namespace {

bool is_given(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = app.get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

/// A file of lines may have a line of names. What has no known format is refused elsewhere.
bool has_lines(const TableInput& table) {
  try {
    const auto of_lines = [](TableFormat format) { return format == TableFormat::csv || format == TableFormat::tsv; };
    if (!table.format.empty()) return of_lines(parse_table_format(table.format));
    return std::ranges::any_of(table.paths(), [&](const auto& path) { return of_lines(table_format_of(path)); });
  } catch (const InputError&) {
    return true;
  }
}

}  // namespace

void refuse_unused(const CLI::App& app, const std::vector<OptionRule>& rules) {
  for (const OptionRule& rule : rules)
    for (const std::string& option : rule.options)
      if (!rule.applies && is_given(app, option))
        throw InputError(fmt::format("{} has no effect {}; leave it out", option, rule.otherwise));
}

std::vector<OptionRule> format_rules(const TableInput& table) {
  const bool given = table.given();
  return {{{"--format", "--header"}, given, "with --gram, whose files are .npy"},
          {{"--header"}, !given || has_lines(table), "on a file that is not csv or tsv"}};
}

std::vector<OptionRule> survival_rules(const TableInput& table) {
  const bool other = !table.survival();
  return {{{"--target", "--labels"}, other, "with --time and --event, which say what is learned"},
          {{"--task"}, other, "on survival times"},
          {{"--no-intercept"}, other, "on survival times, whose loss has no intercept"}};
}

std::vector<OptionRule> alpha_rules(const PathOptions& options) {
  return {{{"--n-alphas", "--alpha-ratio"}, options.alphas.empty(), "with --alphas, which lists the values"},
          {{"--alpha-ratio"}, options.n_alphas != 1, "with --n-alphas 1, which is alpha_max alone"}};
}

GivenParameters given_parameters(const CLI::App& app) {
  GivenParameters given{{}, flag_name};
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    for (std::string name : option->get_lnames()) {
      std::replace(name.begin(), name.end(), '-', '_');
      given.names.insert(name);
    }
  }
  return given;
}

void require_one_source(const CLI::App& app, bool table, bool grams, const std::string& needs) {
  if (!table && !grams) throw InputError(fmt::format("{} needs {}", app.get_name(), needs));
  if (table && grams) throw InputError(app.get_name() + " takes a table or --gram, not both; leave one of them out");
}

void refuse_behind(const CLI::App& app, const std::string& list, const std::string& positional) {
  const auto& order = app.parse_order();
  const auto behind = std::adjacent_find(order.begin(), order.end(), [&](const CLI::Option* a, const CLI::Option* b) {
    return a->check_name(list) && b->check_name(positional);
  });
  if (behind == order.end()) return;
  throw InputError(
      fmt::format("{0} takes all names that follow it: give {1} before it, as in spicymkl {2} {1} {0} FILES", list,
                  positional, app.get_name()));
}

}  // namespace spicymkl::cli
