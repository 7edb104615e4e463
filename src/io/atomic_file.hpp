// Output files that appear complete or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spicymkl {

/// Writes to a file without a name in the folder of `path`, or where that cannot be to a temporary file, which `commit`
/// puts in the place of `path`. Opening it early shows before any work is done whether the place can be written.
/// Without commit nothing is left behind, even by a process that is killed, and an existing file stays as it was; what
/// a process left that was killed in the moment of renaming goes when the same path is opened again. A directory, a
/// device or a pipe is an InputError.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Flushes to disk and renames. A full disk or a lost folder is an InputError, after which nothing is left behind.
  void commit();
  const std::string& path() const { return path_; }

 private:
  /// Finds a free name that `make` can give to a file.
  template <class Make>
  void take_name(const Make& make);
  void open_named();
  void discard();
  // The steps of commit.
  void flush();
  /// A nameless file takes the place of another only by way of a name of its own.
  void give_name();
  void take_place();
  friend void commit_together(const std::vector<AtomicFile*>& files);

  std::string path_;
  std::string target_;     ///< the path behind links
  std::string temporary_;  ///< empty while it has no name
  int descriptor_ = -1;
};

/// Whatever can fail is done for all of them before the first takes its place: a full disk leaves none of them.
void commit_together(const std::vector<AtomicFile*>& files);

/// The whole of it in one call.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace spicymkl
