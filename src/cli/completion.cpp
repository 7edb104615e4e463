// Completion for bash and zsh, written from the commands themselves.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "data/generators.hpp"
#include "option_registry.hpp"
#include "selection/selection_options.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

namespace {

using Choices = std::map<std::string, std::vector<std::string>>;

/// The values that an option may have, where the library's tables list them.
Choices option_choices() {
  Choices choices = {{"--header", {"auto", "yes", "no"}}, {"--format", {"csv", "tsv", "libsvm", "npy", "npz"}}};
  const auto tables = nlohmann::json::parse(option_tables_json());
  for (const char* command : {"train", "path", "cv"})
    for (const auto& option : tables.at(command))
      if (!option.at("choices").empty()) choices[option.at("command_line")] = option.at("choices");
  return choices;
}

std::string data_sets() {
  std::string names = generator_names();
  std::replace(names.begin(), names.end(), ',', ' ');
  return names;
}

std::string bash_completion(const CLI::App& program) {
  std::vector<std::string> names;
  std::string options, values;
  for (const CLI::App* command : visible_commands(program)) {
    names.push_back(command->get_name());
    options += fmt::format("    {}) options='{}' ;;\n", command->get_name(), fmt::join(flags_of(*command), " "));
  }
  for (const auto& [flag, choices] : option_choices())
    values += fmt::format("    {}) values='{}' ;;\n", flag, fmt::join(choices, " "));
  return fmt::format(R"(# bash completion of spicymkl
_spicymkl() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= options= values= k
  for ((k = 1; k < COMP_CWORD; ++k)); do
    [[ ${{COMP_WORDS[k]}} == -* ]] || {{ command=${{COMP_WORDS[k]}}; break; }}
  done
  COMPREPLY=()
  case $command in
    '') options='--help --version' values='{}' ;;
{}  esac
  [[ $command == generate && $previous == generate ]] && values='{}'
  case $previous in
{}  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $values ]]; then COMPREPLY=($(compgen -W "$values" -- "$word"))
  else compopt -o default 2>/dev/null
  fi
}}
complete -F _spicymkl spicymkl
)",
                     fmt::join(names, " "), options, data_sets(), values);
}

/// Within single quotes, and without what _arguments takes for its own.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\') out += std::string("\\") + c;
    else out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string zsh_option(const CLI::Option& option, const Choices& choices) {
  std::string lines;
  const bool is_flag = option.get_expected_max() == 0;
  for (const std::string& flag : flags_of(option)) {
    const auto found = choices.find(flag);
    const std::string value = is_flag                  ? ""
                              : found == choices.end() ? ":value:_files"
                                                       : fmt::format(":value:({})", fmt::join(found->second, " "));
    lines += fmt::format("        '*{}[{}]{}' \\\n", flag, zsh_text(option.get_description()), value);
  }
  return lines;
}

std::string zsh_completion(const CLI::App& program) {
  const Choices choices = option_choices();
  std::string names, cases;
  for (const CLI::App* command : visible_commands(program)) {
    names += fmt::format("        '{}:{}'\n", command->get_name(), zsh_text(command->get_description()));
    cases += fmt::format("      {}) _arguments \\\n", command->get_name());
    for (const CLI::Option* option : command->get_options()) cases += zsh_option(*option, choices);
    cases += command->get_name() == "generate" ? fmt::format("        '1:name:({})' ;;\n", data_sets())
                                               : "        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef spicymkl
_spicymkl() {{
  local state line
  _arguments -C '--help[help]' '--version[version]' '1:command:->command' '*::argument:->arguments'
  case $state in
    command)
      local -a commands=(
{}      )
      _describe command commands ;;
    arguments) case $words[1] in
{}    esac ;;
  esac
}}
_spicymkl "$@"
)",
                     names, cases);
}

}  // namespace

void add_completion(CLI::App& program, Command& chosen) {
  auto shell = std::make_shared<std::string>();
  CLI::App* app = program.add_subcommand("completion", "print a completion script for bash or zsh")->group("");
  app->add_option("SHELL", *shell, "bash or zsh")->required();
  app->callback([&program, &chosen, shell] {
    chosen = [&program, shell] {
      if (*shell != "bash" && *shell != "zsh")
        throw InputError(fmt::format("completion for '{}' is not known; give bash or zsh", *shell));
      fmt::print("{}", *shell == "bash" ? bash_completion(program) : zsh_completion(program));
      return 0;
    };
  });
}

}  // namespace spicymkl::cli
