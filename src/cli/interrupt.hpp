// Ctrl-C ends a run in good order instead of killing it.
#pragma once

namespace spicymkl::cli {

/// From now on SIGINT and SIGTERM are noted; a second one kills the program as usual.
void watch_for_interrupts();
bool interrupted();

}  // namespace spicymkl::cli
