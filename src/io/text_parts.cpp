#include "text_parts.hpp"

#include <algorithm>

namespace spicymkl {

Index part_count(std::size_t bytes, int threads) {
  constexpr std::size_t smallest = std::size_t{1} << 18;  // a thread's start costs about as much as reading this
  return static_cast<Index>(std::clamp<std::size_t>(bytes / smallest, 1, threads));
}

std::vector<TextPart> cut_at_newlines(std::string_view text, Index parts) {
  std::vector<TextPart> cut;
  std::size_t begin = 0;
  for (Index part = 0; part < parts && begin < text.size(); ++part) {
    std::size_t end = text.size() / parts * (part + 1);
    end = part + 1 == parts ? text.size() : text.find('\n', std::max(end, begin));
    end = end >= text.size() ? text.size() : end + 1;
    cut.push_back({.text = text.substr(begin, end - begin)});
    begin = end;
  }
  return cut;
}

void number_parts(std::vector<TextPart>& parts, Index first_line) {
  Index row = 0;
  for (TextPart& part : parts) {
    part.first_line = first_line;
    part.first_row = row;
    first_line += part.n_lines;
    row += part.n_rows;
  }
}

Index total_rows(const std::vector<TextPart>& parts) {
  return parts.empty() ? 0 : parts.back().first_row + parts.back().n_rows;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace spicymkl
