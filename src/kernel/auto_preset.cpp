#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernel_names.hpp"
#include "sparse_counts.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/kernel/presets.hpp"

namespace spicymkl {

namespace {

// docs/kernels.md says why these, and what others gave.
constexpr double kColumnWidth = 1;
constexpr double kCodeWidth = 0.3;      // tells neighbouring codes apart
constexpr std::size_t kMostCodes = 12;  // a column with no more values than this may hold codes
constexpr double kJointWidths[] = {0.4, 0.7, 1, 1.5, 3};
constexpr Index kMostRows = 500;  // 125,000 pairs fix a median well enough

/// Four digits, so that names can be read and typed.
double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

/// The median distance between two rows, over those pairs that differ. Evenly spaced rows stand for many.
double median_distance(const Samples& samples, const std::vector<Index>& columns) {
  const std::vector<Index> present = samples.views.present_rows(columns, samples.n_rows());
  const Index n = std::min(std::ssize(present), kMostRows);
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) rows.push_back(present[i * std::ssize(present) / n]);
  const Samples some = select_rows(samples, rows);
  const Points points(some, columns, Base::squared_distance);
  Matrix squares(n, n);
  base_block(points, 0, points, 0, squares);
  std::vector<double> distances;
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i)
      if (squares(i, j) > 0) distances.push_back(squares(i, j));
  if (distances.empty()) return 1;  // these rows are alike: any width does
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return std::sqrt(*middle);
}

double deviation(const Samples& samples, Index column) {
  Vector room;
  const ConstVectorRef values = samples.present_values(column, room);
  return std::sqrt((values.array() - values.mean()).square().mean());
}

/// Few values, more than two: then they may be codes of categories, whose order means nothing.
bool may_hold_codes(const Samples& samples, Index column) {
  std::set<double> values;
  Vector room;
  for (const double value : samples.present_values(column, room))
    if (values.insert(value).second && values.size() > kMostCodes) return false;
  return values.size() > 2;
}

/// The list being built.
struct AutoList {
  const Samples& samples;
  std::vector<Index> counts;  // columns, in increasing order
  std::vector<KernelSpec> kernels;

  void add(std::string type, const KernelParameters& parameters, const ColumnGroup& on, const std::string& group) {
    kernels.push_back(preset_kernel(std::move(type), parameters, on, group));
  }

  void add_column(Index column) {
    const ColumnGroup on{samples.columns[column], {column}};
    if (samples.is_categorical(column)) return add("overlap", {}, on, "");
    const double unit = deviation(samples, column);
    add("gaussian", {{"width", rounded(kColumnWidth * unit)}}, on, "");
    if (may_hold_codes(samples, column)) add("gaussian", {{"width", rounded(kCodeWidth * unit)}}, on, "");
    add("linear", {}, on, "");
  }

  void add_jointly(const ColumnGroup& on, const std::string& group) {
    ColumnGroup numeric{on.name, {}}, categorical{on.name, {}};
    for (const Index column : on.columns)
      (samples.is_categorical(column) ? categorical : numeric).columns.push_back(column);
    if (!categorical.columns.empty()) add("overlap", {}, categorical, group);
    if (numeric.columns.empty()) return;
    const double unit = median_distance(samples, numeric.columns);
    for (const double width : kJointWidths) add("gaussian", {{"width", rounded(width * unit)}}, numeric, group);
    add("linear", {}, numeric, group);
    ColumnGroup counted{on.name + " counts", {}};
    for (const Index column : numeric.columns)
      if (std::ranges::binary_search(counts, column)) counted.columns.push_back(column);
    if (!counted.columns.empty()) add(kKernelOfCounts, {}, counted, group);
    const double scale = 1 / static_cast<double>(numeric.columns.size());
    add("polynomial", {{"degree", 2}, {"scale", rounded(scale)}}, numeric, group);
  }
};

/// Those of the columns that take more than one value.
std::vector<Index> varying(const Samples& samples, std::span<const Index> columns) {
  std::vector<Index> kept;
  Vector room;
  for (const Index j : columns)
    if (const auto values = samples.present_values(j, room); values.size() > 0 && (values.array() != values(0)).any())
      kept.push_back(j);
  return kept;
}

}  // namespace

std::optional<AutoPart> auto_part(std::string_view preset) {
  if (preset == "auto" || preset == "auto:both") return AutoPart::both;
  if (preset == "auto:columns") return AutoPart::columns;
  if (preset == "auto:joint") return AutoPart::joint;
  return std::nullopt;
}

std::vector<std::string> presets_to_try(const std::string& kernels, bool has_groups) {
  if (kernels != "auto" || has_groups) return {kernels};
  return {"auto:both", "auto:columns", "auto:joint"};
}

std::vector<std::string> distinct_presets(std::vector<std::string> presets, Index n_columns, Index n_categorical) {
  // All columns together are then the only one; and of a categorical one there is a single kernel.
  if (n_columns == 1) std::erase(presets, "auto:joint");
  if (n_columns == 1 && n_categorical == 1) std::erase(presets, "auto:columns");
  return presets;
}

std::vector<KernelSpec> auto_kernels(const Samples& samples, const std::vector<ColumnGroup>& groups, AutoPart part) {
  const ColumnGroup all{"all", varying(samples, all_kernels(samples.n_columns()))};
  if (all.columns.empty())
    throw InputError(
        "kernels 'auto': every column is constant, so that there is nothing to learn from; check the table");
  AutoList list{samples, sparse_counts(samples), {}};
  for (const ColumnGroup& group : groups) {
    const ColumnGroup on{group.name, varying(samples, group.columns)};
    if (!on.columns.empty()) list.add_jointly(on, group.name);
  }
  const bool alone = part == AutoPart::columns || (part == AutoPart::both && all.columns.size() > 1);
  if (groups.empty() && alone)
    for (const Index column : all.columns) list.add_column(column);
  if (part != AutoPart::columns && !samples.views.several()) list.add_jointly(all, "");
  make_names_unique(list.kernels);
  return std::move(list.kernels);
}

}  // namespace spicymkl
