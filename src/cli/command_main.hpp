// The whole command: what the programs spicymkl and spicymkl-mpi have in common.
#pragma once

namespace spicymkl::cli {

/// Parses, runs and says what went wrong; the exit status.
int command_main(int argc, char** argv);

}  // namespace spicymkl::cli
