#include "command_line.hpp"

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

std::string command_line(const CLI::App& app) {
  std::string line = "spicymkl " + app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    const bool is_flag = option->get_expected_max() == 0;
    if (is_flag) {
      line += " " + option->get_name();
      continue;
    }
    for (const std::string& value : option->results())
      line += (option->get_positional() ? " " : " " + option->get_name() + " ") + shell_word(value);
  }
  return line;
}

}  // namespace spicymkl::cli
