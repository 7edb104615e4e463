#include "kernel_input.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

void add_kernel_options(CLI::App& app, KernelInput& input) {
  app.add_option("--kernels", input.choice.spec, "auto, paper, random:M, or a JSON list")->capture_default_str();
  app.add_option("--groups", input.choice.groups, "column groups, .json or .gmt: kernels for each");
  app.add_option("--impute", input.impute, "fill missing cells in by median or mean");
  app.add_flag("--no-standardize", input.no_standardize, "columns as they are (default: mean 0, deviation 1)");
  app.add_option("--seed", input.choice.seed, "seed of random:M")->capture_default_str();
}

void add_memory_option(CLI::App& app, std::string& memory) {
  app.add_option("--memory", memory, "for kernels, such as 8G or 500M (default: half of what is free)");
}

KernelChoice kernel_choice(const KernelInput& input) {
  KernelChoice choice = input.choice;
  choice.standardize = !input.no_standardize;
  return choice;
}

std::optional<ImputeMethod> impute_method(const KernelInput& input) {
  if (input.impute.empty()) return std::nullopt;
  return parse_impute_method(input.impute);
}

double parse_bytes(const std::string& text) {
  if (text.empty()) return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (unit.ends_with("B")) unit.pop_back();
  if (unit.ends_with("I")) unit.pop_back();
  const std::string units = "KMGT";
  const std::size_t power = unit.empty() ? 0 : units.find(unit) + 1;
  const bool known = unit.empty() || (unit.size() == 1 && power > 0);
  if (error != std::errc() || !known || !(value > 0) || !std::isfinite(value))
    throw InputError(
        fmt::format("memory is '{}', but it must be a number of bytes above 0, such as 8G, 500M or 1000000", text));
  return value * std::pow(1024.0, static_cast<double>(power));
}

}  // namespace spicymkl::cli
