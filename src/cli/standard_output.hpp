// Results on standard output that nobody received are not a success.
#pragma once

#include <stdexcept>

namespace spicymkl::cli {

/// What was printed could not be written: a full disk, a closed descriptor, a pipe that nobody reads.
struct OutputLost : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Opens what is closed of the standard descriptors, so that no other file takes its place and receives what is
/// printed.
void claim_standard_files();

/// Flushes standard output; throws OutputLost if anything that was printed there did not arrive. A pipe whose reader
/// has left, as head does, ends the program earlier and quietly by SIGPIPE, as usual, unless the caller ignores that
/// signal.
void finish_standard_output();

/// True if printing has failed already.
bool standard_output_failed();

}  // namespace spicymkl::cli
