// Checks that a mistake is refused with a message that names it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "spicymkl/core/error.hpp"

namespace testing_support {

inline void expect_refused(const std::function<void()>& action, const std::string& mentioned) {
  try {
    action();
    ADD_FAILURE() << "nothing was refused; the message should have mentioned '" << mentioned << "'";
  } catch (const spicymkl::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(mentioned), std::string::npos)
        << "the message does not mention '" << mentioned << "': " << error.what();
  }
}

}  // namespace testing_support
