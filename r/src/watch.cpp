#include "watch.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace spicymkl::r {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

/// R leaves this function by a long jump when there is an interrupt: R_ToplevelExec catches it.
void look_for_interrupt(void*) { R_CheckUserInterrupt(); }

}  // namespace

struct FitWatch::State {
  std::thread::id thread = std::this_thread::get_id();
  Clock::time_point last_look = Clock::now();
  std::atomic<bool> interrupted = false;

  /// Threads of the library ask as well: R is for the thread that called.
  const char* question() {
    if (!interrupted && std::this_thread::get_id() == thread && Clock::now() - last_look >= kBetweenLooks) look();
    return interrupted ? "stopped by R" : nullptr;
  }

  void look() {
    last_look = Clock::now();
    if (R_ToplevelExec(look_for_interrupt, nullptr) == FALSE) interrupted = true;
  }
};

FitWatch::FitWatch(double max_seconds)
    : state_(std::make_shared<State>()), watch_([state = state_] { return state->question(); }, max_seconds) {}

void FitWatch::finish() const {
  if (state_->interrupted) throw Rcpp::internal::InterruptedException();
}

}  // namespace spicymkl::r
