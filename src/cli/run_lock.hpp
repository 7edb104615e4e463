// One run at a time on one checkpoint.
#pragma once

#include <string>

namespace spicymkl::cli {

/// Holds the lock of `path` while it lives: that of a small file beside it, PATH.lock, which goes with it. The system
/// releases a lock with its process, however that ends: what a killed run leaves is the file, which the next run takes
/// over. Where another run holds the lock, that is an InputError. A file system without locks is taken at its word.
class RunLock {
 public:
  explicit RunLock(const std::string& path);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  bool take(const std::string& path);

  std::string file_;
  int descriptor_ = -1;
};

}  // namespace spicymkl::cli
