// Kernel lists for those who do not want to write one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "spicymkl/kernel/groups.hpp"
#include "spicymkl/kernel/kernel_spec.hpp"

namespace spicymkl {

/// The paper's list: on each column in turn and then on all columns together, Gaussians of width 0.1 0.25 0.5 0.75 1 2
/// 3 … 20 and polynomials (1 + xᵀz)^d of degree d = 1 2 3, each with unit trace: 27(n + 1) kernels for n columns. With
/// groups, on each group in turn instead of each column.
std::vector<KernelSpec> paper_kernels(const Samples& samples, const std::vector<ColumnGroup>& groups);

/// `count` Gaussians of unit trace on random columns: how many is uniform in 1 … n, which is uniform among subsets of
/// that size, the width is 5χ²₁ + 0.1.
std::vector<KernelSpec> random_kernels(const Samples& samples, Index count, std::uint64_t seed);

/// Which of the kernels below: those on one column each, those on all columns of the table or of a group, or both.
enum class AutoPart { both, columns, joint };

/// A list that suits most tables, all with unit trace:
/// - on each numeric column: a Gaussian whose width is one standard deviation, and linear; where it may hold codes, a
///   Gaussian of 0.3 deviations as well. Each column can then be chosen or left out by itself, and take part as a line
///   or a curve. However many columns there are: what is affordable is decided by affordable_columns.hpp.
/// - on all numeric columns together: Gaussians whose width is 0.4 0.7 1 1.5 and 3 times the median distance
///   between two rows, linear, and quadratic (1 + xᵀz/n)². The median distance grows as √n, so that fixed widths would
///   see every row alone in a wide table, and all rows alike in a narrow one; multiples of it run from nearest
///   neighbours to nearly linear in both.
/// - on those of all numeric columns that hold counts, most of them 0 (sparse_counts.hpp), together: cosine.
/// - on each categorical column, and on all of them together: overlap.
/// With groups, the joint list is made for each group, and the columns do not get kernels of their own. Columns that
/// are constant in these rows tell nothing and are left out.
std::vector<KernelSpec> auto_kernels(const Samples& samples, const std::vector<ColumnGroup>& groups,
                                     AutoPart part = AutoPart::both);

/// `auto` and auto:both, auto:columns, auto:joint; none for any other name.
std::optional<AutoPart> auto_part(std::string_view preset);

/// The presets among which cross-validation chooses where the user asked for this one: the parts of `auto`, of which
/// now one, now the other predicts better (docs/kernels.md). Any other preset or list stands for itself.
std::vector<std::string> presets_to_try(const std::string& kernels, bool has_groups);

/// Of presets to try, those that give other kernels than an earlier one on a table of so many columns.
std::vector<std::string> distinct_presets(std::vector<std::string> presets, Index n_columns, Index n_categorical);

}  // namespace spicymkl
