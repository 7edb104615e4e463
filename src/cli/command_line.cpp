#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace spicymkl::cli {

namespace {

std::string shell_word(const std::string& text) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string command_line(const CLI::App& app) { return command_line(app, {}); }

std::string command_line(const CLI::App& app, std::map<std::string, std::vector<std::string>> values) {
  std::string line = "spicymkl " + app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || values.contains(option->get_name())) continue;
    const bool is_flag = option->get_expected_max() == 0;
    if (is_flag) {
      line += " " + option->get_name();
      continue;
    }
    for (const std::string& value : option->results())
      line += (option->get_positional() ? " " : " " + option->get_name() + " ") + shell_word(value);
  }
  for (const auto& [name, words] : values)
    if (!words.empty()) line += fmt::format(" {} {}", name, shell_word(fmt::format("{}", fmt::join(words, ","))));
  return line;
}

}  // namespace spicymkl::cli
