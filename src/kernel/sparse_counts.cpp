#include "sparse_counts.hpp"

#include <cmath>

#include "core/safe_norm.hpp"

namespace spicymkl {

namespace {

constexpr std::size_t kFewest = 20;  // a handful of indicators in a table of measurements is no bag of words

bool is_sparse(const Samples& samples, Index column) {
  if (samples.is_categorical(column)) return false;
  Vector room;
  const ConstVectorRef present = samples.present_values(column, room);
  const auto values = present.array();
  return values.size() > 0 && (values >= 0).all() && 2 * (values == 0).count() > values.size() &&
         (values != values(0)).any();
}

}  // namespace

std::vector<Index> sparse_counts(const Samples& samples) {
  std::vector<Index> columns;
  for (Index j = 0; j < samples.n_columns(); ++j)
    if (is_sparse(samples, j)) columns.push_back(j);
  if (columns.size() < kFewest) columns.clear();
  return columns;
}

void keep_proportions(const std::vector<Index>& columns, Standardizer& standardizer) {
  if (columns.empty()) return;
  const Vector scales = standardizer.scale(columns);
  const double common = safe_norm(scales) / std::sqrt(static_cast<double>(columns.size()));
  for (const Index column : columns) {
    standardizer.mean(column) = 0;
    standardizer.scale(column) = common;
  }
}

}  // namespace spicymkl
