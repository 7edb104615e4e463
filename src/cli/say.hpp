// What the command says to people. Names and cells of the input pass through here, so that a terminal shows them and
// does not obey them.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "spicymkl/core/printable.hpp"

namespace spicymkl::cli {

/// A line on stderr that begins with the name of the program: what was assumed, a warning, an error.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  // On a terminal the line takes the place of a progress bar, which is drawn again below it.
  const char* clear = ::isatty(STDERR_FILENO) != 0 ? "\r\x1b[K" : "";
  const std::string line =
      fmt::format("{}spicymkl: {}\n", clear, printable(fmt::format(format, std::forward<Values>(values)...)));
  std::fwrite(line.data(), 1, line.size(), stderr);  // a log that cannot be written does not end the run
}

/// A result for people, on stdout.
template <class... Values>
void show(fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = printable(fmt::format(format, std::forward<Values>(values)...));
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// A JSON value, on stdout.
inline void show_json(std::string_view json) {
  const std::string text = printable_json(json) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace spicymkl::cli
