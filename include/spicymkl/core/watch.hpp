// What everything that works for one command shares: when to stop, and what is being done.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Work was asked to stop before it was done. Whoever began it hands back the best that there is.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

/// A part of the work as it is shown: what, and how much of it is done.
struct Activity {
  std::string what;
  Index done = 0;
  Index total = 0;   ///< 0: not known
  double share = 0;  ///< of the work that is done, 0 to 1
  std::string note;  ///< takes the place of "done of total" where it is not empty
};

/// A handle: copies share what they watch. Cheap to ask, from any thread.
class Watch {
 public:
  /// Null to continue, else why to stop, in words such as "stopped by Ctrl-C". Any thread may ask, many times a second.
  using Question = std::function<const char*()>;

  /// Never stops, and shows nothing.
  Watch() = default;
  /// Stops when the question has an answer, or after max_seconds; 0: no limit.
  explicit Watch(Question question, double max_seconds = 0);
  /// Stops when `stop` says so, "stopped by the caller".
  static Watch asking(std::function<bool()> stop);
  /// Stops while `stop` says so, and not ever after: for one who works for others, one piece of work after the other.
  static Watch obeying(std::function<bool()> stop);
  /// This one with a limit of its own, counted from now. 0: this one.
  Watch limited(double max_seconds) const;

  /// True once a stop was asked for, and ever after (but see `obeying`).
  bool stop_requested() const;
  /// True when work is to be given up now: a stop was asked for, and nobody is wrapping up, or for too long.
  bool must_stop() const;
  /// Throws Stopped when work is to be given up now. Not for a parallel loop: see StopCheck.
  void check() const {
    if (must_stop()) throw Stopped();
  }
  /// Why it stopped; empty before.
  std::string reason() const;
  /// Seconds since it began, 0 for one that never stops.
  double seconds() const;

  /// All that is being done, the oldest first.
  std::vector<Activity> activities() const;

 private:
  friend class WrapUp;
  friend class WatchedTask;
  struct State;
  std::shared_ptr<State> state_;
};

/// While it lives, work continues for a moment after the stop, so that what is nearly finished can be kept.
class WrapUp {
 public:
  explicit WrapUp(const Watch& watch);
  ~WrapUp();
  WrapUp(const WrapUp&) = delete;
  WrapUp& operator=(const WrapUp&) = delete;

 private:
  Watch watch_;
};

/// Shows an activity while it lives. Any thread may advance it.
class WatchedTask {
 public:
  WatchedTask(const Watch& watch, std::string what, Index total = 0);
  ~WatchedTask();
  WatchedTask(const WatchedTask&) = delete;
  WatchedTask& operator=(const WatchedTask&) = delete;
  void advance(Index count = 1);
  /// Sets how many are done.
  void set(Index done);
  /// In words, and the share that is done.
  void tell(std::string note, double share);

 private:
  struct Entry;
  std::unique_ptr<Entry> entry_;  // null: nobody looks
};

/// The check of one parallel loop, whose threads must not throw: each asks `skip` before a piece of work and leaves it
/// out if so; `finish`, after the loop, throws Stopped if anything was left out.
class StopCheck {
 public:
  explicit StopCheck(const Watch& watch) : watch_(watch) {}
  bool skip() {
    if (skipped_.load(std::memory_order_relaxed)) return true;
    if (!watch_.must_stop()) return false;
    skipped_.store(true, std::memory_order_relaxed);
    return true;
  }
  void finish() const {
    if (skipped_.load(std::memory_order_relaxed)) throw Stopped();
  }

 private:
  const Watch& watch_;
  std::atomic<bool> skipped_ = false;
};

}  // namespace spicymkl
