// What is being done, on standard error: a line that moves on a terminal, else a plain line now and then.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "spicymkl/core/watch.hpp"
#include "spicymkl/pipeline/train_model.hpp"

namespace spicymkl::cli {

/// Looks at the activities of a watch from a thread of its own while it lives.
class Progress {
 public:
  Progress(Watch watch, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void follow_on_terminal(std::unique_lock<std::mutex>& lock);
  void follow_plainly(std::unique_lock<std::mutex>& lock);

  Watch watch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

/// Activities in one line, with a bar; cut to `width` characters.
std::string progress_line(const std::vector<Activity>& activities, double seconds, std::size_t width);
/// The same without a bar, of any length.
std::string progress_words(const std::vector<Activity>& activities);

/// Shows the steps of train_model. `target` must outlive it.
FitProgress training_progress(const Watch& watch, const Target& target, double tol);

}  // namespace spicymkl::cli
