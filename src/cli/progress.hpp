// One line on the terminal that follows the run; nothing when stderr is not a terminal.
#pragma once

#include <string>
#include <string_view>

#include "spicymkl/pipeline/train_model.hpp"

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

/// Shows the steps of train_model, class by class. `progress` and `target` must outlive it.
FitProgress training_progress(Progress& progress, const Target& target, double tol);

}  // namespace spicymkl::cli
