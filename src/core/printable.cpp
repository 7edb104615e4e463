#include "spicymkl/core/printable.hpp"

#include <fmt/format.h>

#include "utf8.hpp"

namespace spicymkl {

namespace {

bool is_obeyed(char32_t code) {
  const bool control = (code < 0x20 && code != U'\n' && code != U'\t') || (code >= 0x7F && code <= 0x9F);
  const bool separator = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  return control || separator || direction;
}

enum class Escapes { python, json };

std::string escaped_text(std::string_view text, Escapes escapes) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = utf8_character(text, at);
    if (!character) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    const auto code = static_cast<std::uint32_t>(character->code);
    if (!is_obeyed(character->code)) shown += text.substr(at, character->length);
    else if (escapes == Escapes::python && code < 0x100) shown += fmt::format("\\x{:02x}", code);
    else shown += fmt::format("\\u{:04x}", code);
    at += character->length;
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) { return escaped_text(text, Escapes::python); }

std::string printable_json(std::string_view text) { return escaped_text(text, Escapes::json); }

std::string readable(const std::string& message) {
  constexpr std::size_t kMostBytes = 8000;
  return utf8_prefix(message, kMostBytes);
}

}  // namespace spicymkl
