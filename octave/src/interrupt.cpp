#include "interrupt.hpp"

#include <csignal>

// What each interpreter offers; the other's is null. Neither is part of the documented interface, and both have been
// there for many versions.
extern "C" {
extern __attribute__((weak)) volatile sig_atomic_t octave_interrupt_state;  // above 0: an interrupt is pending
__attribute__((weak)) bool utIsInterruptPending();                          // MATLAB's
}

namespace spicymkl::octave {

bool interrupted() {
  const volatile sig_atomic_t* state = &octave_interrupt_state;
  if (state != nullptr) return *state > 0;
  return utIsInterruptPending != nullptr && utIsInterruptPending();
}

Watch make_watch(double max_seconds) {
  return Watch([] { return interrupted() ? "stopped by Ctrl-C" : nullptr; }, max_seconds);
}

void check_interrupted() {
  if (interrupted()) throw Stopped();
}

}  // namespace spicymkl::octave
