#include "cell.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/utf8.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 8> markers{"", "NA", "N/A", "NaN", "nan", "?", "null", "NULL"};
  return text.size() <= 4 && std::find(markers.begin(), markers.end(), text) != markers.end();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<double> parse_number(std::string_view text) {
  // fast_float takes no leading +; "+-1" must not slip through.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string in_quotes(std::string_view text) {
  std::string shown = utf8_prefix(text, 40);
  std::replace(shown.begin(), shown.end(), '\n', ' ');  // one line; the rest of what a terminal obeys is escaped
  return fmt::format("'{}'", shown);
}

std::string at_line(const std::string& path, Index line) { return fmt::format("{}, line {}", path, line); }

std::string at_line(const std::string& path, Index line, std::string_view column) {
  return fmt::format("{}, line {}, column {}", path, line, in_quotes(column));
}

void refuse_text(const std::string& place, std::string_view text) {
  std::string with_point(text);
  std::replace(with_point.begin(), with_point.end(), ',', '.');
  if (with_point != text && parse_number(with_point))
    throw InputError(fmt::format("{}: {} has a decimal comma; write numbers with a point, such as {}", place,
                                 in_quotes(text), in_quotes(with_point)));
  throw InputError(fmt::format("{}: {} is not a number; correct it, drop the column or declare it categorical", place,
                               in_quotes(text)));
}

void refuse_infinite(const std::string& place, std::string_view text) {
  throw InputError(
      fmt::format("{}: {} is not a finite number; correct it or leave the cell empty", place, in_quotes(text)));
}

}  // namespace spicymkl
