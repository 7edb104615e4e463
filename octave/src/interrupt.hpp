// Ctrl-C, as the interpreter notes it.
#pragma once

#include "spicymkl/core/watch.hpp"

namespace spicymkl::octave {

/// Whether the user wants an end. Any thread may ask.
bool interrupted();

/// Stops at Ctrl-C, or after max_seconds; 0: no limit.
Watch make_watch(double max_seconds);

/// Throws Stopped if the user wanted an end: who pressed Ctrl-C waits for no answer.
void check_interrupted();

}  // namespace spicymkl::octave
