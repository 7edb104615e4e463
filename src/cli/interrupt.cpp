#include "interrupt.hpp"

#include <csignal>

namespace spicymkl::cli {

namespace {

volatile std::sig_atomic_t signal_seen = 0;  // what a signal handler may touch

void note(int) { signal_seen = 1; }

}  // namespace

void watch_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return signal_seen != 0; }

}  // namespace spicymkl::cli
