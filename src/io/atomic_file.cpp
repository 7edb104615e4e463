#include "spicymkl/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), temporary_(path_ + ".XXXXXX") {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    throw InputError(fmt::format("cannot write '{}': it is a directory; give a file name", path_));
  descriptor_ = ::mkstemp(temporary_.data());
  if (descriptor_ < 0) throw InputError(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, 0666 & ~mask);  // mkstemp gives 0600; the result is an ordinary file
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw InputError(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  const int descriptor = std::exchange(descriptor_, -1);
  const bool flushed = ::fsync(descriptor) == 0 || errno == EINVAL;
  const bool complete = ::close(descriptor) == 0 && flushed && std::rename(temporary_.c_str(), path_.c_str()) == 0;
  if (complete) return;
  const int reason = errno;
  ::unlink(temporary_.c_str());
  throw InputError(fmt::format("cannot write '{}': {}", path_, std::strerror(reason)));
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace spicymkl
