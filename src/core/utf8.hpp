// UTF-8, character by character.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace spicymkl {

struct Utf8Character {
  char32_t code;
  std::size_t length;  ///< bytes
};

/// The character that begins at `position`; none where the bytes are not UTF-8 (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF).
std::optional<Utf8Character> utf8_character(std::string_view text, std::size_t position);

bool is_utf8(std::string_view text);

/// The text, or of a longer one the characters within its first `most` bytes and "…".
std::string utf8_prefix(std::string_view text, std::size_t most);

}  // namespace spicymkl
