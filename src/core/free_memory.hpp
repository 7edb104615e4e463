// How much more memory this process may have.
#pragma once

#include <string>

namespace spicymkl {

/// Where Linux says so.
struct MemoryFiles {
  std::string processes = "/proc";
  std::string groups = "/sys/fs/cgroup";
};

/// Bytes that this process may still take: what the system has, or less where a control group (of a container, or a job
/// of a batch system) or a limit on the process (ulimit -v, ulimit -d) leaves less.
double free_memory();

/// The same without the limits on the process.
double free_memory_of_system(const MemoryFiles& files);

}  // namespace spicymkl
