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

MappedFile map_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  struct stat status {};
  ::fstat(descriptor, &status);
  if (S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    throw InputError(fmt::format("cannot read '{}': it is a directory; give a file", path));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) {
    ::close(descriptor);
    throw InputError(fmt::format("'{}' is empty", path));
  }
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int reason = errno;
  ::close(descriptor);
  if (address == MAP_FAILED) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(reason)));
  return {{static_cast<const char*>(address), size},
          {address, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); }}};
}

}  // namespace spicymkl
