// One cell of text: is it missing, is it a number, how is it shown in a sentence.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Empty, NA, N/A, NaN, nan, ?, null, NULL.
bool is_missing(std::string_view text);

/// Without the blanks (spaces, tabs, carriage returns) around it.
std::string_view trimmed(std::string_view text);

/// The whole text as a number (a leading + is allowed); none if it is not one. May be infinite or NaN.
std::optional<double> parse_number(std::string_view text);

/// Between single quotes, shortened, control characters replaced: fit for one line of an error.
std::string in_quotes(std::string_view text);

/// "data.csv, line 12" and "data.csv, line 12, column 'age'".
std::string at_line(const std::string& path, Index line);
std::string at_line(const std::string& path, Index line, std::string_view column);

[[noreturn]] void refuse_text(const std::string& place, std::string_view text);
[[noreturn]] void refuse_infinite(const std::string& place, std::string_view text);

/// A cell of a number column: its value, or NaN if it is missing. Throws InputError, beginning with what `place()`
/// returns, for a text and for an infinity.
template <class Place>
double number_cell(std::string_view text, const Place& place) {
  if (is_missing(text)) return std::numeric_limits<double>::quiet_NaN();
  const std::optional<double> number = parse_number(text);
  if (!number) refuse_text(place(), text);
  if (std::isinf(*number)) refuse_infinite(place(), text);
  return *number;
}

}  // namespace spicymkl
