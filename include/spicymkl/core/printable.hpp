// Text from files and arguments, made safe to show.
#pragma once

#include <string>
#include <string_view>

namespace spicymkl {

/// The text with everything escaped that a terminal obeys rather than shows: control characters but line feeds and tabs
/// (C0, DEL, C1), line and paragraph separators, marks that reverse the direction of writing, and bytes that are not
/// UTF-8. Escapes are those of Python: \x1b, \u202e. Backslashes stay as they are: the text is for people.
std::string printable(std::string_view text);

/// The same for the text of a JSON value, which stays that value: escapes are those of JSON, \u001b.
std::string printable_json(std::string_view text);

/// The message, or its beginning where it is longer than a screen or two.
std::string readable(const std::string& message);

}  // namespace spicymkl
