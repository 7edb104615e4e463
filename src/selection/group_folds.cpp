#include "group_folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>

#include "core/random_draws.hpp"
#include "core/wording.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

/// Rows by group and class, or event; numbers are one class.
Matrix class_counts(const Target& target, const RowGroups& groups) {
  Matrix counts = Matrix::Zero(groups.count, target.n_strata());
  for (Index row = 0; row < target.n_rows(); ++row) ++counts(groups.codes[row], target.stratum(row));
  return counts;
}

void check_groups(const Target& target, const RowGroups& groups, const Matrix& counts, int parts) {
  const Index present = (counts.rowwise().sum().array() > 0).count();
  if (present < parts)
    throw InputError(
        fmt::format("'{}' has {} among the rows to divide, but {} parts were asked for, and no group may be in two "
                    "of them; use fewer folds",
                    groups.name, counted(present, "group"), parts));
  for (std::size_t c = 0; c < target.classes.size(); ++c)
    if ((counts.col(static_cast<Index>(c)).array() > 0).count() < 2)
      throw InputError(fmt::format(
          "class '{}' is in fewer than 2 groups of '{}' among the rows to divide, so that it cannot be both "
          "learned and tested; leave it out, or give more groups",
          target.classes[c], groups.name));
}

/// Of each group, its part.
std::vector<int> deal_groups(const Matrix& counts, int parts, std::uint64_t seed) {
  std::vector<Index> order(counts.rows());
  std::iota(order.begin(), order.end(), 0);
  RandomDraws(seed).shuffle(order);
  const Vector sizes = counts.rowwise().sum();
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sizes(a) > sizes(b); });
  const Vector totals = counts.colwise().sum().transpose().cwiseMax(1);
  Matrix held = Matrix::Zero(parts, counts.cols());  // share of each class that a part has
  std::vector<int> part(counts.rows(), 0);
  for (const Index group : order) {
    const Vector share = counts.row(group).transpose().cwiseQuotient(totals);
    double least = std::numeric_limits<double>::infinity();
    for (int p = 0; p < parts; ++p) {
      // What Σ share² grows by: it is smallest where all parts have equal shares of all classes.
      const double growth = (held.row(p).transpose() + share).squaredNorm() - held.row(p).squaredNorm();
      if (growth >= least) continue;
      least = growth;
      part[group] = p;
    }
    held.row(part[group]) += share.transpose();
  }
  return part;
}

}  // namespace

RowGroups RowGroups::rows(std::span<const Index> selected) const {
  RowGroups part{name, {}, count};
  if (!empty())
    for (const Index row : selected) part.codes.push_back(codes[row]);
  return part;
}

RowGroups make_groups(std::string name, const std::vector<std::string>& names) {
  RowGroups groups{std::move(name), {}, 0};
  std::unordered_map<std::string, Index> known;
  for (const std::string& one : names) groups.codes.push_back(known.try_emplace(one, std::ssize(known)).first->second);
  groups.count = std::ssize(known);
  return groups;
}

std::vector<Fold> make_folds(const Target& target, const RowGroups& groups, int count, std::uint64_t seed) {
  if (groups.empty()) return make_folds(target, count, seed);
  check_fold_count(count);
  const Matrix counts = class_counts(target, groups);
  check_groups(target, groups, counts, count);
  const std::vector<int> part = deal_groups(counts, count, seed);
  std::vector<Fold> folds(count);
  for (Index row = 0; row < target.n_rows(); ++row)
    for (int f = 0; f < count; ++f) (part[groups.codes[row]] == f ? folds[f].test : folds[f].training).push_back(row);
  return folds;
}

}  // namespace spicymkl
