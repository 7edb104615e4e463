// Files that a command reads and writes: no output is an input, nor another output.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spicymkl::cli {

/// Options and the files that they name; an empty name is no file.
using Outputs = std::vector<std::pair<std::string, std::string>>;

class FileRoles {
 public:
  /// `role` is what the user calls it: DATA, --labels. What is empty, no file or not there is passed over.
  void add_input(const std::string& role, const std::string& path);
  void add_inputs(const std::string& role, const std::vector<std::string>& paths);
  /// A file that is one of those before, by whatever path or link, is an InputError, and so is a name with the ending
  /// of a format that no command writes, such as .png or .gz.
  void add_output(const std::string& role, const std::string& path);
  void add_outputs(const Outputs& outputs);
  /// The names of all files so far.
  std::vector<std::string> paths() const;

 private:
  struct File {
    std::string role, path, identity;
  };
  std::vector<File> files_;
};

}  // namespace spicymkl::cli
