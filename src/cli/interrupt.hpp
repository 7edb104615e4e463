// Ctrl-C and the time limit end a run in good order instead of killing it.
#pragma once

#include <exception>

#include "spicymkl/core/watch.hpp"

namespace spicymkl::cli {

/// The user wants it to end; there is nothing to hand back.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

/// What a stop leaves behind, as it is said at once.
enum class Leaves { best_model, what_is_done, nothing };

/// From now on SIGINT and SIGTERM are noted, for work that asks now and then. The first is answered at once on standard
/// error; the second is answered, too, and changes nothing; the third kills the program as usual. Before that, the
/// first one does: there is nothing to hand back yet, and no file that would be left behind.
void watch_for_interrupts(Leaves leaves = Leaves::nothing);
/// Which signal it was, in words; null: none.
const char* interrupted();

/// The watch of a command, from its start: signals, and the time limit in seconds (0: none).
Watch command_watch(double max_seconds = 0);

}  // namespace spicymkl::cli
