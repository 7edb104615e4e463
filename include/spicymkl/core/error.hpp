// A user's mistake. The message says what is wrong, where, and how to put it right.
#pragma once

#include <stdexcept>

#include "spicymkl/core/printable.hpp"

namespace spicymkl {

class InputError : public std::runtime_error {
 public:
  /// Messages quote file names, columns and cells: whatever these hold, a terminal shows it and does not obey it, and
  /// it fits a screen or two.
  explicit InputError(std::string_view message) : std::runtime_error(readable(printable(message))) {}
};

}  // namespace spicymkl
