#include "csv_text.hpp"

namespace spicymkl {

std::string csv_cell(std::string_view text) {
  const bool blank_ends = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && !blank_ends) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace spicymkl
