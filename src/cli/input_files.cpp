#include "input_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

namespace {

void say_and_end(int) {
  static constexpr char kSentence[] =
      "spicymkl: an input file became shorter while it was being read; nothing was written: start again when the file "
      "is complete\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kSentence, sizeof(kSentence) - 1);
  ::_exit(2);
}

bool same(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

void end_when_a_file_shrinks() {
  struct sigaction action {};
  action.sa_handler = say_and_end;
  sigaction(SIGBUS, &action, nullptr);
}

UnchangedFiles::UnchangedFiles(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    Stamp stamp{path, {}};
    if (::stat(path.c_str(), &stamp.status) == 0 && S_ISREG(stamp.status.st_mode)) stamps_.push_back(std::move(stamp));
  }
}

void UnchangedFiles::check() const {
  for (const Stamp& stamp : stamps_) {
    struct stat now {};
    // A file put in its place is another one: what was read is still the old one.
    const bool replaced =
        ::stat(stamp.path.c_str(), &now) != 0 || now.st_ino != stamp.status.st_ino || now.st_dev != stamp.status.st_dev;
    if (!replaced && !same(now, stamp.status))
      throw InputError(fmt::format(
          "'{}' was changed while the command read it; start again with a file that nothing writes to", stamp.path));
  }
}

}  // namespace spicymkl::cli
