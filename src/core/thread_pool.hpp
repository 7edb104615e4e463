// The threads behind parallel_for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Work in numbered parts, as a function and what it works on.
struct PartedWork {
  void (*run)(void* context, Index part);
  void* context;
  Index parts;
};

/// Threads that wait for parts of work. The caller takes part after part itself, and so does every thread that is free:
/// nobody waits for a thread that has not begun, which on a busy machine may take long. Whoever waits does so awake for
/// a moment, as the next loop often follows at once, and then asleep. Parts may have parted work of their own.
class ThreadPool {
 public:
  /// The one of this process. It is never destroyed: its threads may outlive everything else.
  static ThreadPool& instance();

  /// Every part once, on at most `threads` threads, this one included. Parts must not throw.
  void run(const PartedWork& work, int threads);

 private:
  struct Job;

  void start_threads(int wanted);
  void live();
  Job* next_job();
  void leave(Job& job);
  void wait_for_helpers(Job& job);

  std::mutex mutex_;                  // guards all that is not atomic
  std::condition_variable arrived_;   // there is a job
  std::condition_variable finished_;  // a job has lost its last helper
  Job* newest_ = nullptr;
  std::atomic<Index> arrivals_ = 0;
  int started_ = 0;
  int asleep_ = 0;
  bool refused_ = false;  // the system has no more threads for us
};

}  // namespace spicymkl
