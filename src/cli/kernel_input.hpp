// Options that say which kernels to compute from a table.
#pragma once

#include <CLI/CLI.hpp>

#include "spicymkl/pipeline/training_table.hpp"

namespace spicymkl::cli {

struct KernelInput {
  KernelChoice choice;
  bool no_standardize = false;
  std::string impute;
  std::string memory;
};

void add_kernel_options(CLI::App& app, KernelInput& input);
void add_memory_option(CLI::App& app, std::string& memory);

KernelChoice kernel_choice(const KernelInput& input);
std::optional<ImputeMethod> impute_method(const KernelInput& input);

/// "8G", "500M", "64k" (powers of 1024), or plain bytes; 0 for an empty text.
double parse_bytes(const std::string& text);

}  // namespace spicymkl::cli
