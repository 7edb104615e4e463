// One line on the terminal that follows the run; nothing when stderr is not a terminal.
#pragma once

#include "spicymkl/solver/result.hpp"

namespace spicymkl::cli {

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void show(const Record& record, double tol);

 private:
  bool on_;
  bool shown_ = false;
};

}  // namespace spicymkl::cli
