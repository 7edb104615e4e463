#include "spicymkl/kernel/presets.hpp"

#include <fmt/format.h>

#include "core/random_draws.hpp"
#include "kernel_names.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

ColumnGroup all_columns(const Samples& samples) { return {"all", all_kernels(samples.n_columns())}; }

std::vector<ColumnGroup> each_column(const Samples& samples) {
  std::vector<ColumnGroup> each;
  for (Index j = 0; j < samples.n_columns(); ++j) each.push_back({samples.columns[j], {j}});
  return each;
}

void refuse_categorical(std::string_view preset, const Samples& samples) {
  for (Index j = 0; j < samples.n_columns(); ++j)
    if (samples.is_categorical(j))
      throw InputError(
          fmt::format("kernels '{}': column '{}' is categorical, but this preset is for numeric columns; leave "
                      "the column out, or use 'auto'",
                      preset, samples.columns[j]));
}

void add_paper_kernels(const ColumnGroup& on, const std::string& group, std::vector<KernelSpec>& kernels) {
  std::vector<double> widths = {0.1, 0.25, 0.5, 0.75};
  for (int width = 1; width <= 20; ++width) widths.push_back(width);
  for (const double width : widths) kernels.push_back(preset_kernel("gaussian", {{"width", width}}, on, group));
  for (int degree = 1; degree <= 3; ++degree)
    kernels.push_back(preset_kernel("polynomial", {{"degree", degree}}, on, group));
}

}  // namespace

std::vector<KernelSpec> paper_kernels(const Samples& samples, const std::vector<ColumnGroup>& groups) {
  refuse_categorical("paper", samples);
  std::vector<KernelSpec> kernels;
  for (const ColumnGroup& on : groups.empty() ? each_column(samples) : groups)
    add_paper_kernels(on, groups.empty() ? "" : on.name, kernels);
  if (!samples.views.several()) add_paper_kernels(all_columns(samples), "", kernels);
  make_names_unique(kernels);
  return kernels;
}

std::vector<KernelSpec> random_kernels(const Samples& samples, Index count, std::uint64_t seed) {
  refuse_categorical("random", samples);
  RandomDraws draws(seed);
  std::vector<KernelSpec> kernels;
  for (Index k = 0; k < count; ++k) {
    const Index size = 1 + draws.below(samples.n_columns());
    const std::vector<Index> columns = draws.subset(samples.n_columns(), size);
    const double width = 5 * draws.chi_squared() + 0.1;
    kernels.push_back(
        preset_kernel("gaussian", {{"width", width}}, {describe_columns(columns, samples.columns), columns}, ""));
    kernels.back().name = fmt::format("random {}: {}", k + 1, kernels.back().name);
  }
  return kernels;
}

}  // namespace spicymkl
