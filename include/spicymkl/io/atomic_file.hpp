// Output files that appear complete or not at all.
#pragma once

#include <string>
#include <string_view>

namespace spicymkl {

/// Writes to a temporary file beside `path`, which `commit` renames onto it. Opening it early tells before any work is done
/// whether the place can be written. Without commit nothing is left behind and an existing file stays as it was.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Flushes to disk and renames. A full disk or a lost folder is an InputError.
  void commit();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string temporary_;
  int descriptor_;
};

/// The whole of it in one call.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace spicymkl
