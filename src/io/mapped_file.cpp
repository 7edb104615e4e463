#include "spicymkl/io/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

[[noreturn]] void refuse_open(const std::string& path, int reason) {
  if (reason == ENOENT) throw InputError(fmt::format("{}: there is no such file; check the name", path));
  if (reason == EACCES) throw InputError(fmt::format("{}: may not be read; check its permissions", path));
  throw InputError(fmt::format("{}: cannot be read ({}); check the file", path, std::strerror(reason)));
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) refuse_open(path, errno);
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) refuse_open(path, errno);
  if (S_ISDIR(status.st_mode)) throw InputError(fmt::format("{}: is a directory; give a file", path));
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    map(file.fd, path);
  } else {
    read_all(file.fd, path);
  }
}

MappedFile::~MappedFile() {
  if (mapping_) ::munmap(const_cast<char*>(mapping_), size_);
}

void MappedFile::map(int descriptor, const std::string& path) {
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) refuse_open(path, errno);
  ::madvise(address, size_, MADV_WILLNEED);
  mapping_ = static_cast<const char*>(address);
}

void MappedFile::read_all(int descriptor, const std::string& path) {
  constexpr std::size_t block = std::size_t{1} << 16;
  for (;;) {
    const std::size_t have = read_.size();
    read_.resize(have + block);
    const ssize_t got = ::read(descriptor, read_.data() + have, block);
    const int reason = errno;
    read_.resize(have + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0) return;
    if (got < 0 && reason != EINTR) refuse_open(path, reason);
  }
}

}  // namespace spicymkl
