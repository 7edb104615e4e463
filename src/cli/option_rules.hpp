// An option is used, or refused by name with the reason: who gives one expects an effect.
//
// --seed, --threads and --quiet have no rules. Scripts give them always, and each keeps its promise everywhere: the
// same seed and threads give the same bits, also where nothing is random; what is quiet anyway stays quiet.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "pipeline/given_parameters.hpp"
#include "selection/selection_options.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

/// When options have an effect.
struct OptionRule {
  std::vector<std::string> options;  ///< as they are typed; a command need not have them all
  bool applies;
  std::string otherwise;  ///< what ends the sentence "--psd has no effect …"
};

/// An option that was given although its rule does not apply is an InputError.
void refuse_unused(const CLI::App& app, const std::vector<OptionRule>& rules);

/// How a table is read; `table` names it, or is empty where --gram takes its place.
std::vector<OptionRule> format_rules(const TableInput& table);

/// When options that name or shape another target than survival times have an effect.
std::vector<OptionRule> survival_rules(const TableInput& table);

/// When the options of a grid of alphas have an effect.
std::vector<OptionRule> alpha_rules(const PathOptions& options);

/// The options that were given, by their names in the library's tables.
GivenParameters given_parameters(const CLI::App& app);

/// Samples come from a table or from --gram: both or none are an InputError; `needs` says what the command needs.
void require_one_source(const CLI::App& app, bool table, bool grams, const std::string& needs);

/// A list of files takes all names that follow it, so that a positional behind it may be one of either: InputError.
void refuse_behind(const CLI::App& app, const std::string& list, const std::string& positional);

}  // namespace spicymkl::cli
