// A plugin: a shared library with a table of functions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device_api.h"

namespace spicymkl {

/// The table of a plugin, which stays loaded as long as somebody has it.
using DeviceFunctions = std::shared_ptr<const spicymkl_device_functions>;

/// Where plugins are looked for, in this order.
std::vector<std::string> plugin_folders();

/// `library` is its file name. A plugin that is nowhere, cannot be loaded, or is of another version is an InputError.
DeviceFunctions load_plugin(const std::string& library);

/// The table if its version is ours; else an InputError that names the file.
const spicymkl_device_functions* checked_version(const spicymkl_device_functions* table, const std::string& file);

}  // namespace spicymkl
