// Text cut at line ends into parts that threads can read apart, each knowing its first row and line.
#pragma once

#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

struct TextPart {
  std::string_view text;
  Index first_line = 1;  ///< 1-based line of the file on which the part begins
  Index n_lines = 0;
  Index first_row = 0;
  Index n_rows = 0;
};

/// How many parts are worth while: one for a small text.
Index part_count(std::size_t bytes, int threads);

/// Parts of about equal size that end after a newline; together they are the text.
std::vector<TextPart> cut_at_newlines(std::string_view text, Index parts);

/// Sets first_row and first_line from n_rows and n_lines, given the first line of the first part.
void number_parts(std::vector<TextPart>& parts, Index first_line);

Index total_rows(const std::vector<TextPart>& parts);

/// The line at the front of `text`, without its newline and carriage return; `text` moves on behind it.
std::string_view take_line(std::string_view& text);

}  // namespace spicymkl
