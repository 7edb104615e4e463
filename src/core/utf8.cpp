// By hand, not by simdutf: it decodes as well as checks, names and labels are short, and Debian 12 does not have
// simdutf.
#include "utf8.hpp"

namespace spicymkl {

namespace {

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

}  // namespace

std::optional<Utf8Character> utf8_character(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[position + k]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return Utf8Character{first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || position + length > text.size()) return std::nullopt;
  char32_t code = first & (0x7F >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if (!is_continuation(byte(k))) return std::nullopt;
    code = code << 6 | (byte(k) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return std::nullopt;
  return Utf8Character{code, length};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = utf8_character(text, at);
    if (!character) return false;
    at += character->length;
  }
  return true;
}

std::string utf8_prefix(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && is_continuation(text[most])) --most;
  return std::string(text.substr(0, most)) + "…";
}

}  // namespace spicymkl
