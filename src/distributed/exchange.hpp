// How an operation ends: each rank says what became of its part, and rank 0 gets the answers, or throws.
#pragma once

#include <exception>
#include <functional>

#include "message.hpp"

namespace spicymkl {

/// What a rank answers.
struct Answer {
  Matrix numbers;
  std::string text;
};

/// What became of the part of a rank.
struct Outcome {
  enum class Fate { done, stopped, failed };

  Answer answer;
  Fate fate = Fate::done;
  std::string why;              ///< of a failure
  std::exception_ptr original;  ///< of anything but an answer
};

Outcome attempt(const std::function<Answer()>& work);

/// What rank 0 learns of an operation, and others do not.
struct Conclusion {
  std::vector<Answer> answers;  ///< of all ranks, in their order, or one with the sum of their numbers
  std::exception_ptr fault;     ///< what went wrong on some rank; else null
};

/// Every rank calls it. An exception means that ranks are left in the middle of it.
Conclusion conclude(Communicator& ranks, Outcome outcome, bool summed);

}  // namespace spicymkl
