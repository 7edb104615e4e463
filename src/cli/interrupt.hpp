// Ctrl-C ends a run in good order instead of killing it.
#pragma once

#include <exception>

namespace spicymkl::cli {

/// The user wants it to end; there is nothing to hand back.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

/// From now on SIGINT and SIGTERM are noted, for work that asks `interrupted` now and then; a second one kills the
/// program as usual. Before that, the first one does: there is nothing to hand back yet, and no file that would be left
/// behind.
void watch_for_interrupts();
bool interrupted();

}  // namespace spicymkl::cli
