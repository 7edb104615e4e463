// A file seen as memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace spicymkl {

/// Read-only view of a whole file, kept alive by `owner`. A missing file, a directory or an unreadable one is an InputError.
struct MappedFile {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

MappedFile map_file(const std::string& path);

}  // namespace spicymkl
