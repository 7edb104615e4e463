#include "atomic_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
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

constexpr std::string_view kEnding = ".part";

/// The k-th name beside `target` that this process may take for a file on its way there.
std::string name_on_the_way(const std::string& target, int k) {
  return fmt::format("{}.{}-{}{}", target, ::getpid(), k, kEnding);
}

bool is_name_on_the_way(std::string_view name, std::string_view target) {
  if (!name.starts_with(target) || !name.ends_with(kEnding)) return false;
  name.remove_prefix(target.size());
  if (name.size() < kEnding.size() + 4) return false;  // .1-0
  name.remove_suffix(kEnding.size());
  const auto middle = name.substr(1);
  return name[0] == '.' && middle.find_first_not_of("0123456789-") == std::string_view::npos;
}

/// Removes the file if the process that made it is gone: while it lives, it holds a lock.
void remove_abandoned(const std::string& path) {
  const int descriptor = retried([&] { return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC); });
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(descriptor);
}

/// A process that was killed in the moment between naming a file and putting it in its place has left it behind. By
/// readdir: std::filesystem's iterator ends the program where it gets no memory.
void remove_abandoned_on_the_way_to(const std::string& target) {
  const auto place = std::filesystem::path(target);
  const std::string folder = place.has_parent_path() ? place.parent_path().string() : ".";
  const std::string name = place.filename().string();
  const std::unique_ptr<DIR, int (*)(DIR*)> files(::opendir(folder.c_str()), ::closedir);
  while (const dirent* file = files ? ::readdir(files.get()) : nullptr)
    if (is_name_on_the_way(file->d_name, name)) remove_abandoned(folder + "/" + file->d_name);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(behind_links(path_)) {
  check_kind(path_);
  remove_abandoned_on_the_way_to(target_);
  descriptor_ = open_nameless(target_);
  if (descriptor_ < 0) {
    open_named();  // shows whether it can be written
    discard();     // a process that is killed before it writes anything leaves nothing
  }
}

template <class Make>
void AtomicFile::take_name(const Make& make) {
  constexpr int kMostNames = 1000;
  for (int k = 0; temporary_.empty(); ++k) {
    std::string name = name_on_the_way(target_, k);
    if (retried([&] { return make(name.c_str()); }) >= 0) temporary_ = std::move(name);
    else if (errno != EEXIST || k == kMostNames) throw cannot_write(path_, errno);
  }
}

void AtomicFile::open_named() {
  take_name(
      [&](const char* name) { return descriptor_ = ::open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666); });
  ::flock(descriptor_, LOCK_EX | LOCK_NB);
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
  if (descriptor_ < 0) open_named();
  while (!bytes.empty()) {
    const ssize_t written = retried([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    if (written <= 0) throw cannot_write(path_, written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(written);
  }
}

void AtomicFile::commit() { commit_together({this}); }

void AtomicFile::flush() {
  write("");
  if (retried([&] { return ::fsync(descriptor_); }) != 0 && errno != EINVAL) throw cannot_write(path_, errno);
}

void AtomicFile::give_name() {
  if (!temporary_.empty()) return;
  const LinkName open_file(descriptor_);
  ::flock(descriptor_, LOCK_EX | LOCK_NB);
  take_name([&](const char* name) { return ::linkat(AT_FDCWD, open_file.text, AT_FDCWD, name, AT_SYMLINK_FOLLOW); });
}

void AtomicFile::take_place() {
  if (retried([&] { return std::rename(temporary_.c_str(), target_.c_str()); }) != 0) throw cannot_write(path_, errno);
  temporary_.clear();
  ::close(std::exchange(descriptor_, -1));  // and with it the lock goes
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
