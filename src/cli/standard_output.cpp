#include "standard_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace spicymkl::cli {

void claim_standard_files() {
  // Descriptors are given out from the lowest: /dev/full takes the place of the closed one, and refuses to be written.
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/full", descriptor == 0 ? O_RDONLY : O_WRONLY) < 0) return;
}

bool standard_output_failed() { return std::ferror(stdout) != 0 || !std::cout; }

void finish_standard_output() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if (flushed && !standard_output_failed()) return;
  throw OutputLost(
      fmt::format("cannot write to standard output{}", reason != 0 ? fmt::format(": {}", std::strerror(reason)) : ""));
}

}  // namespace spicymkl::cli
