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

/// Every rank calls it. On rank 0 the answers of all ranks, in their order, or, where `summed`, one with the sum of
/// their numbers; what went wrong on any rank is thrown. On other ranks nothing.
std::vector<Answer> conclude(Communicator& ranks, Outcome outcome, bool summed);

}  // namespace spicymkl
