// A file's bytes in memory: mapped when it is a regular file, read when it is a pipe.
#pragma once

#include <string>
#include <string_view>

namespace spicymkl {

class MappedFile {
 public:
  /// Throws InputError for a missing or unreadable file and for a directory.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return mapping_ ? std::string_view(mapping_, size_) : std::string_view(read_); }

 private:
  void map(int descriptor, const std::string& path);
  void read_all(int descriptor, const std::string& path);

  const char* mapping_ = nullptr;
  std::size_t size_ = 0;
  std::string read_;
};

}  // namespace spicymkl
