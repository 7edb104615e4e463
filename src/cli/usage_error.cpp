#include "usage_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/closest.hpp"
#include "option_registry.hpp"

namespace spicymkl::cli {

namespace {

using Names = std::vector<std::string>;

std::string propose(const std::string& name, const Names& candidates) {
  const std::string meant = closest(name, candidates);
  return meant.empty() ? "" : fmt::format("; did you mean {}?", meant);
}

Names command_names(const CLI::App& program) {
  Names names;
  for (const CLI::App* command : visible_commands(program)) names.push_back(command->get_name());
  return names;
}

Names positional_names(const CLI::App& app) {
  Names names;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) names.push_back(option->get_name(true));
  return names;
}

bool is_flag(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::string unknown_command(const CLI::App& program, const Names& words) {
  const Names known = command_names(program);
  for (const std::string& word : words)
    if (!is_flag(word)) return fmt::format("'{}' is not a command{}", word, propose(word, known));
  if (!words.empty()) return fmt::format("{} is not known before a command", words.front());
  return fmt::format("which command? Give one of {}", fmt::join(known, ", "));
}

/// Words that the command has no place for. A flag explains more than the values that lost their place by it.
std::string unexpected(const CLI::App& command, const Names& words) {
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (is_flag(word))
      return fmt::format("{} does not know {}{}", command.get_name(), name, propose(name, flags_of(command)));
  }
  const Names places = positional_names(command);
  return fmt::format("{} has no place for '{}': {}", command.get_name(), words.front(),
                     places.empty() ? "it takes no file names" : fmt::format("it takes {}", fmt::join(places, " ")));
}

/// "a whole number" for INT
std::string wanted(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.starts_with("INT")) return "a whole number";
  if (type.starts_with("UINT")) return "a whole number, 0 or more and below 2^64";
  if (type.starts_with("FLOAT")) return "a number";
  return "of type " + type;
}

/// The option that the parser speaks of: its messages hold the name.
const CLI::Option* subject(const CLI::App& command, const std::string& message) {
  const CLI::Option* found = nullptr;
  std::size_t length = 0;  // of the longest name: --alpha is part of --alphas
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (message.find(name) == std::string::npos || name.size() <= length) continue;
    found = option;
    length = name.size();
  }
  return found;
}

/// A list of files may have taken the name that is missing.
std::string missing(const CLI::App& command, const CLI::Option& option) {
  std::string text = fmt::format("{} needs {}: {}", command.get_name(), option.get_name(), option.get_description());
  const CLI::Option* grams = command.get_option_no_throw("--gram");
  if (option.get_positional() && grams != nullptr && grams->count() > 0)
    text += fmt::format("; give it before --gram, which takes all names that follow");
  return text;
}

/// The choices in "… not in {yes,no,auto}", or nothing.
Names choices_in(const std::string& message) {
  const std::size_t begin = message.find(" not in {"), end = message.rfind('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(message.substr(begin + 9, end - begin - 9), ',');
}

std::string bad_value(const CLI::Option& option, const std::string& message) {
  const Names values = option.results();
  if (values.empty() || values.back().empty()) return option.get_name() + " needs a value";
  const Names choices = choices_in(message);
  if (!choices.empty())
    return fmt::format("{} is '{}', but it must be one of {}{}", option.get_name(), values.back(),
                       fmt::join(choices, ", "), propose(values.back(), choices));
  return fmt::format("{} is '{}', but it must be {}", option.get_name(), fmt::join(values, " "), wanted(option));
}

std::string sentence(const CLI::App& program, const CLI::ParseError& error) {
  const auto commands = program.get_subcommands();
  const Names words = program.remaining(true);
  if (commands.empty()) return unknown_command(program, words);
  const CLI::App& command = *commands.front();
  const CLI::Option* option = subject(command, error.what());
  const std::string kind = error.get_name();
  const bool is_value = kind == "ConversionError" || kind == "ValidationError";
  if (!words.empty() && !is_value) return unexpected(command, words);
  if (option == nullptr) return error.what();
  if (is_value) return bad_value(*option, error.what());
  if (kind == "RequiredError") return missing(command, *option);
  if (kind == "ArgumentMismatch")
    return option->count() > 1 ? fmt::format("{} is given {} times; give it once", option->get_name(), option->count())
                               : option->get_name() + " needs a value";
  return error.what();
}

}  // namespace

std::string usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const auto commands = program.get_subcommands();
  return fmt::format("{} (see spicymkl {}--help)", sentence(program, error),
                     commands.empty() ? "" : commands.front()->get_name() + " ");
}

}  // namespace spicymkl::cli
