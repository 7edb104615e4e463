// Columns such as the words of texts: counts, most of them 0.
#pragma once

#include <vector>

#include "spicymkl/kernel/standardizer.hpp"

namespace spicymkl {

/// The type of kernel that suits them: which words there are matters, not how many in all.
inline constexpr const char* kKernelOfCounts = "cosine";

/// The columns without a negative value and with 0 in more than half of the rows, if there are enough of them to be a
/// source of their own; else none.
std::vector<Index> sparse_counts(const Samples& samples);

/// Leaves these columns uncentred and divides them by one common number, the root of their mean variance: what is rare
/// stays small, where a deviation of 1 for each column would make it as large as what is frequent.
void keep_proportions(const std::vector<Index>& columns, Standardizer& standardizer);

}  // namespace spicymkl
