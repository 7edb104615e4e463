#include "kernel_names.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

namespace spicymkl {

std::string parameter_text(const KernelParameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += fmt::format("{}{}={:.6g}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::string kernel_name(std::string_view type, const KernelParameters& parameters, std::string_view columns) {
  if (parameters.empty()) return fmt::format("{} on {}", type, columns);
  return fmt::format("{}({}) on {}", type, parameter_text(parameters), columns);
}

KernelSpec preset_kernel(std::string type, const KernelParameters& parameters, const ColumnGroup& on,
                         std::string group) {
  KernelSpec spec;
  spec.name = kernel_name(type, parameters, on.name);
  spec.type = std::move(type);
  spec.parameters = complete_parameters(find_kernel_type(spec.type, spec.name), parameters, spec.name);
  spec.columns = on.columns;
  spec.group = std::move(group);
  return spec;
}

void make_names_unique(std::vector<KernelSpec>& kernels) {
  std::unordered_set<std::string> taken;
  taken.reserve(kernels.size());
  std::unordered_map<std::string, int> copies;
  for (KernelSpec& kernel : kernels) {
    const std::string wanted = kernel.name;
    while (!taken.insert(kernel.name).second) kernel.name = fmt::format("{} #{}", wanted, ++copies[wanted] + 1);
  }
}

}  // namespace spicymkl
