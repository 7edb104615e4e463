// A file seen as memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace spicymkl {

/// Read-only view of a whole file, kept alive by `owner`: mapped if it is a regular file, read if it is a pipe. A
/// missing file, a directory, an unreadable or an empty one is an InputError.
struct MappedFile {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

MappedFile map_file(const std::string& path);

}  // namespace spicymkl
