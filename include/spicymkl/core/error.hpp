// A user's mistake. The text names what is wrong, where, and how to mend it.
#pragma once

#include <stdexcept>

namespace spicymkl {

class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace spicymkl
