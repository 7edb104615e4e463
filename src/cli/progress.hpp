// One line on the terminal that follows the run; nothing when stderr is not a terminal.
#pragma once

#include <string>
#include <string_view>

#include "spicymkl/solver/result.hpp"

namespace spicymkl::cli {

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  /// An outer step of a training run; `what` says which.
  void show(std::string_view what, const Record& record, double tol);
  /// So many of so many done.
  void count(std::string_view what, Index done, Index all);

 private:
  /// `done` is the filled share of the bar.
  void print(std::string_view what, double done, const std::string& text);

  bool on_;
  bool shown_ = false;
};

}  // namespace spicymkl::cli
