#include "spicymkl/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

InputError cannot_write(const std::string& path, int reason) {
  return InputError(fmt::format("cannot write '{}': {}", path, std::strerror(reason)));
}

/// Where a link leads: the file there is replaced, not the link, or made where there is none yet.
std::string behind_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as the system follows
  std::error_code error;
  std::filesystem::path place = path;
  for (int k = 0; k < kMostLinks && std::filesystem::is_symlink(place, error); ++k) {
    const auto target = std::filesystem::read_symlink(place, error);
    if (error) break;
    place = place.parent_path() / target;  // an absolute target replaces the folder
  }
  const auto real = std::filesystem::canonical(place, error);
  return error ? place.string() : real.string();
}

void check_kind(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode))
    throw InputError(fmt::format("cannot write '{}': it is a directory; give a file name", path));
  if (!S_ISREG(status.st_mode))  // a device or a pipe would be replaced by a file
    throw InputError(fmt::format("cannot write '{}': it is not a plain file; give another name", path));
}

/// The name under which an open file can be linked.
std::string link_of(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// A file without a name goes with the process, however that ends. -1 where the file system does not know such files,
/// or there is no /proc to name it in the end.
int open_nameless(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0 || ::access(link_of(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(behind_links(path_)) {
  check_kind(path_);
  descriptor_ = open_nameless(target_);
  if (descriptor_ >= 0) return;
  open_temporary();  // tells whether it can be written
  discard();         // a process that is killed before it writes anything leaves nothing
}

void AtomicFile::open_temporary() {
  temporary_ = target_ + ".XXXXXX";
  descriptor_ = ::mkstemp(temporary_.data());
  if (descriptor_ < 0) throw cannot_write(path_, errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, 0666 & ~mask);  // mkstemp gives 0600; the result is an ordinary file
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  if (descriptor_ < 0) open_temporary();
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot_write(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  write("");
  const int descriptor = std::exchange(descriptor_, -1);
  const bool flushed = ::fsync(descriptor) == 0 || errno == EINVAL;
  const bool named = flushed && (!temporary_.empty() || give_name(descriptor));
  const int reason = errno;
  const bool closed = ::close(descriptor) == 0;
  if (named && closed && std::rename(temporary_.c_str(), target_.c_str()) == 0) return;
  const int last_reason = named ? errno : reason;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  throw cannot_write(path_, last_reason);
}

/// A nameless file takes the place of another only by way of a name of its own.
bool AtomicFile::give_name(int descriptor) {
  for (int k = 0; k < 1000; ++k) {
    const std::string name = fmt::format("{}.{}-{}", target_, ::getpid(), k);
    if (::linkat(AT_FDCWD, link_of(descriptor).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace spicymkl
