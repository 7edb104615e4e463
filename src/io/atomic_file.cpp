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

/// Signals are not errors: what they interrupted is done again.
template <class Call>
auto retried(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// The name under which an open file can be linked. Takes no memory of its own: there may be none left.
struct LinkName {
  explicit LinkName(int descriptor) {
    *fmt::format_to_n(text, sizeof(text) - 1, "/proc/self/fd/{}", descriptor).out = 0;
  }
  char text[32];
};

/// A file without a name goes with the process, however that ends. -1 where the file system does not know such files,
/// or there is no /proc to name it in the end.
int open_nameless(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const char* place = folder.empty() ? "." : folder.c_str();
  const int descriptor = retried([&] { return ::open(place, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666); });
  if (descriptor < 0 || ::access(LinkName(descriptor).text, F_OK) == 0) return descriptor;
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
  std::string name = target_ + ".XXXXXX";
  descriptor_ = retried([&] {
    name.replace(name.size() - 6, 6, "XXXXXX");
    return ::mkstemp(name.data());
  });
  if (descriptor_ < 0) throw cannot_write(path_, errno);
  temporary_ = std::move(name);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, 0666 & ~mask);  // mkstemp gives 0600; the result is an ordinary file
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  if (descriptor_ < 0) open_temporary();
  while (!bytes.empty()) {
    const ssize_t written = retried([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    if (written <= 0) throw cannot_write(path_, written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() { commit_together({this}); }

void AtomicFile::flush() {
  write("");
  if (retried([&] { return ::fsync(descriptor_); }) != 0 && errno != EINVAL) throw cannot_write(path_, errno);
}

void AtomicFile::give_name() {
  constexpr int kMostNames = 1000;
  for (int k = 0; temporary_.empty(); ++k) {
    std::string name = fmt::format("{}.{}-{}", target_, ::getpid(), k);
    const LinkName open_file(descriptor_);
    const auto link = [&] { return ::linkat(AT_FDCWD, open_file.text, AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW); };
    if (retried(link) == 0) temporary_ = std::move(name);
    else if (errno != EEXIST || k == kMostNames) throw cannot_write(path_, errno);
  }
}

void AtomicFile::take_place() {
  // The descriptor is closed even where a signal interrupts that.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) throw cannot_write(path_, errno);
  if (retried([&] { return std::rename(temporary_.c_str(), target_.c_str()); }) != 0) throw cannot_write(path_, errno);
  temporary_.clear();
}

void commit_together(const std::vector<AtomicFile*>& files) {
  for (AtomicFile* file : files) file->flush();
  for (AtomicFile* file : files) file->give_name();
  for (AtomicFile* file : files) file->take_place();
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace spicymkl
