#include "csv_text.hpp"

#include "cell.hpp"

namespace spicymkl {

std::string csv_cell(std::string_view text) {
  const bool has_blank_ends = trimmed(text) != text;  // a reader takes them off unless there are quotes around them
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && !has_blank_ends) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace spicymkl
