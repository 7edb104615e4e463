// Input files that are read while the command works: Gram matrices are mapped, not copied.
#pragma once

#include <sys/stat.h>
#include <string>
#include <vector>

namespace spicymkl::cli {

/// From now on a mapped file that shrinks ends the command with one sentence and status 2. Reading beyond its new end
/// raises SIGBUS, after which nothing but an end is possible; files being written have no name yet and vanish.
void end_when_a_file_shrinks();

/// The files as they were; `check` throws InputError when one has been written to since.
class UnchangedFiles {
 public:
  explicit UnchangedFiles(const std::vector<std::string>& paths);
  void check() const;

 private:
  struct Stamp {
    std::string path;
    struct stat status;
  };
  std::vector<Stamp> stamps_;
};

}  // namespace spicymkl::cli
