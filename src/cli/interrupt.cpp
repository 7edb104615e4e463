#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

namespace spicymkl::cli {

namespace {

// What a signal handler may touch. The handler is the one place that has no other way to say something.
std::atomic<int> signals_seen = 0;
std::atomic<int> first_signal = 0;
std::atomic<const char*> notice = nullptr;
std::atomic<bool> on_terminal = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

void write_out(const char* text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // nobody to tell
}

void note(int signal) {
  const int count = ++signals_seen;
  if (count <= 2 && on_terminal) write_out("\n");  // behind the bar, and what the terminal shows of the key
  if (count == 1) {
    first_signal = signal;
    write_out(notice);
  } else if (count == 2) {
    write_out("spicymkl: already stopping; the third time ends at once, and nothing is written\n");
  } else {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

const char* text_of(Leaves leaves) {
  switch (leaves) {
    case Leaves::best_model:
      return "spicymkl: stopping; the best model so far will be written\n";
    case Leaves::what_is_done:
      return "spicymkl: stopping; what is done is kept\n";
    case Leaves::nothing:
      break;
  }
  return "spicymkl: stopping\n";
}

}  // namespace

void watch_for_interrupts(Leaves leaves) {
  if (notice.exchange(text_of(leaves)) != nullptr) return;  // installed already
  on_terminal = ::isatty(STDERR_FILENO) != 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const char* interrupted() {
  switch (first_signal) {
    case 0:
      return nullptr;
    case SIGINT:
      return "stopped by Ctrl-C";
    default:
      return "stopped by SIGTERM";
  }
}

Watch command_watch(double max_seconds) { return Watch(interrupted, max_seconds); }

}  // namespace spicymkl::cli
