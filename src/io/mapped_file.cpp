#include "mapped_file.hpp"

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

[[noreturn]] void refuse(const std::string& path, int reason) {
  if (reason == ENOENT) throw InputError(fmt::format("{}: there is no such file; check the name", path));
  if (reason == EACCES) throw InputError(fmt::format("{}: may not be read; check its permissions", path));
  throw InputError(fmt::format("{}: cannot be read ({}); check the file", path, std::strerror(reason)));
}

MappedFile map_regular(int descriptor, std::size_t size, const std::string& path) {
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) refuse(path, errno);
  return {{static_cast<const char*>(address), size},
          {address, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); }}};
}

MappedFile read_stream(int descriptor, const std::string& path) {
  constexpr std::size_t block = std::size_t{1} << 16;
  const auto text = std::make_shared<std::string>();
  for (;;) {
    const std::size_t have = text->size();
    text->resize(have + block);
    const ssize_t got = ::read(descriptor, text->data() + have, block);
    const int reason = errno;
    text->resize(have + (got > 0 ? got : 0));
    if (got == 0) return {*text, text};
    if (got < 0 && reason != EINTR) refuse(path, reason);
  }
}

}  // namespace

MappedFile map_file(const std::string& path) {
  Descriptor file{-1};
  do file.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  while (file.fd < 0 && errno == EINTR);  // a pipe that waits for its other end
  if (file.fd < 0) refuse(path, errno);
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) refuse(path, errno);
  if (S_ISDIR(status.st_mode)) throw InputError(fmt::format("{}: is a directory; give a file", path));
  MappedFile mapped = S_ISREG(status.st_mode) && status.st_size > 0 ? map_regular(file.fd, status.st_size, path)
                                                                    : read_stream(file.fd, path);
  if (mapped.bytes.empty()) throw InputError(fmt::format("{}: is empty; give a file with data", path));
  return mapped;
}

}  // namespace spicymkl
