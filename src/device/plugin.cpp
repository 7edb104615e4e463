#include "plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

/// The folder of the program or shared library that this code is part of.
std::filesystem::path own_folder() {
  Dl_info info;
  if (::dladdr(reinterpret_cast<void*>(&load_plugin), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  // A program is known by the name that it was called by.
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const std::filesystem::path file(info.dli_fname);
  return file.has_parent_path() && file.extension() == ".so" ? file.parent_path() : program.parent_path();
}

std::string last_dl_error() {
  const char* text = ::dlerror();
  return text == nullptr ? "the reason is not known" : text;
}

}  // namespace

std::vector<std::string> plugin_folders() {
  std::vector<std::string> folders;
  if (const char* given = std::getenv("SPICYMKL_PLUGINS")) {
    std::istringstream list(given);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.push_back(folder);
  }
  const std::filesystem::path own = own_folder();
  for (const char* place : {".", "../lib/spicymkl", "../lib/x86_64-linux-gnu/spicymkl", "spicymkl"})
    folders.push_back((own / place).lexically_normal().string());
  return folders;
}

const spicymkl_device_functions* checked_version(const spicymkl_device_functions* table, const std::string& file) {
  if (table == nullptr || table->version != SPICYMKL_DEVICE_API_VERSION)
    throw InputError(
        fmt::format("{} is of another version of SpicyMKL (its interface is {}, ours {}); install the one "
                    "that belongs to this library, or use device cpu",
                    file, table == nullptr ? 0 : table->version, SPICYMKL_DEVICE_API_VERSION));
  return table;
}

DeviceFunctions load_plugin(const std::string& library) {
  const std::vector<std::string> folders = plugin_folders();
  for (const std::string& folder : folders) {
    const std::string file = (std::filesystem::path(folder) / library).string();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) continue;
    // Never unloaded: the driver beneath it keeps threads and handlers of its own.
    void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
      throw InputError(fmt::format("{} cannot be loaded: {}; use device cpu", file, last_dl_error()));
    const auto entry = reinterpret_cast<spicymkl_device_entry>(::dlsym(handle, SPICYMKL_DEVICE_ENTRY));
    return {checked_version(entry == nullptr ? nullptr : entry(), file), [](const auto*) {}};
  }
  throw InputError(
      fmt::format("the plugin for GPUs, {}, is in none of {}; build it with -DSPICYMKL_CUDA=ON and name its folder in "
                  "SPICYMKL_PLUGINS, or use device cpu",
                  library, fmt::join(folders, ", ")));
}

}  // namespace spicymkl
