#include "run_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

namespace {

/// Several names may lead to one checkpoint.
std::string lock_file(const std::string& path) {
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(path, error);
  return (error ? path : place.string()) + ".lock";
}

/// " (process 1234)", as the holder wrote it; empty if it has not yet.
std::string holder(int descriptor) {
  char text[24] = {};
  const ssize_t size = ::pread(descriptor, text, sizeof(text) - 1, 0);
  const std::string number(text, size > 0 ? std::strspn(text, "0123456789") : 0);
  return number.empty() ? "" : fmt::format(" (process {})", number);
}

/// False if the file was removed, by the run that held it, between opening and locking it.
bool still_there(int descriptor, const std::string& file) {
  struct stat locked {
  }, named{};
  return ::fstat(descriptor, &locked) == 0 && ::stat(file.c_str(), &named) == 0 && locked.st_ino == named.st_ino &&
         locked.st_dev == named.st_dev;
}

}  // namespace

RunLock::RunLock(const std::string& path) : file_(lock_file(path)) {
  while (!take(path)) continue;
}

bool RunLock::take(const std::string& path) {
  const int file = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 && errno == EINTR) return false;
  if (file < 0) throw InputError(fmt::format("cannot write '{}': {}", file_, std::strerror(errno)));
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    const bool held = errno == EWOULDBLOCK, again = errno == EINTR;
    const std::string who = held ? holder(file) : "";
    ::close(file);
    if (held)
      throw InputError(fmt::format(
          "'{}' is in use by another run{}: wait for it to end, or give another file to --checkpoint", path, who));
    if (!again) ::unlink(file_.c_str());
    return !again;
  }
  if (!still_there(file, file_)) {
    ::close(file);
    return false;
  }
  descriptor_ = file;
  const std::string number = fmt::format("{}\n", ::getpid());
  // For people alone: a disk that has no room for it does not matter.
  [[maybe_unused]] const bool noted = ::ftruncate(file, 0) == 0 && ::pwrite(file, number.data(), number.size(), 0) > 0;
  return true;
}

RunLock::~RunLock() {
  if (descriptor_ < 0) return;
  ::unlink(file_.c_str());  // while it is locked: nobody else can have it
  ::close(descriptor_);
}

}  // namespace spicymkl::cli
