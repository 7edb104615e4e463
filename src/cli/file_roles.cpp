#include "file_roles.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

namespace {

constexpr int kMostLinks = 40;  // as many as the kernel follows

/// The same text for all names of one plain file; empty for devices and pipes, which can be shared.
std::string identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0)
    return S_ISREG(status.st_mode) ? fmt::format("{} {}", status.st_dev, status.st_ino) : "";
  std::filesystem::path name(path);  // not there yet: known by its folder, and what it is a link to by that
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(name, error); ++links) {
    if (links == kMostLinks) throw InputError(fmt::format("'{}' is a link that leads back to itself; remove it", path));
    const auto to = std::filesystem::read_symlink(name, error);
    name = to.is_absolute() ? to : name.parent_path() / to;
  }
  const auto folder = std::filesystem::weakly_canonical(name.has_parent_path() ? name.parent_path() : ".", error);
  return (folder / name.filename()).string();
}

/// A name that promises a format which no command writes: whoever opens the file by its name would fail.
void refuse_ending(const std::string& role, const std::string& path) {
  static const std::vector<std::string> never = {".bz2", ".gif", ".gz",  ".jpeg", ".jpg", ".npz", ".parquet",
                                                 ".pdf", ".png", ".xls", ".xlsx", ".xz",  ".zip", ".zst"};
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char letter) { return std::tolower(letter); });
  if (std::ranges::find(never, ending) == never.end()) return;
  throw InputError(fmt::format(
      "{} is '{}', but spicymkl writes no {} files; choose another ending (--help says what the file holds)", role,
      path, ending));
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

}  // namespace

std::vector<std::string> FileRoles::paths() const {
  std::vector<std::string> all;
  for (const File& file : files_) all.push_back(file.path);
  return all;
}

void FileRoles::add_input(const std::string& role, const std::string& path) {
  if (!path.empty() && exists(path)) files_.push_back({role, path, identity_of(path)});
}

void FileRoles::add_inputs(const std::string& role, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) add_input(role, path);
}

void FileRoles::add_output(const std::string& role, const std::string& path) {
  if (path.empty()) return;
  refuse_ending(role, path);
  const std::string identity = identity_of(path);
  for (const File& other : files_)
    if (!identity.empty() && identity == other.identity)
      throw InputError(
          fmt::format("{} is the same file as {} ('{}'); choose another name", role, other.role, other.path));
  files_.push_back({role, path, identity});
}

void FileRoles::add_outputs(const Outputs& outputs) {
  for (const auto& [option, path] : outputs) add_output(option, path);
}

}  // namespace spicymkl::cli
