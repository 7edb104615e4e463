// Folds that keep families, sites or repeated measurements together.
#pragma once

#include "spicymkl/selection/folds.hpp"

namespace spicymkl {

/// Rows that belong together; none: every row stands for itself.
struct RowGroups {
  std::string name;          ///< of the column or file
  std::vector<Index> codes;  ///< per row, its group, numbered from 0; empty: there are no groups
  Index count = 0;

  bool empty() const { return codes.empty(); }
  /// The given rows, in that order, with the groups that they have.
  RowGroups rows(std::span<const Index> selected) const;
};

/// Groups by their names, one per row, numbered in the order of appearance.
RowGroups make_groups(std::string name, const std::vector<std::string>& names);

/// As make_folds, but no group is in two parts. Groups are dealt from the largest down, equal ones in an order by
/// `seed`, each to the part that has the smallest share of its classes so far: parts are as equal as the groups allow.
/// Fewer groups than parts, or a class all of whose rows are in one group, are an InputError.
std::vector<Fold> make_folds(const Target& target, const RowGroups& groups, int count, std::uint64_t seed);

}  // namespace spicymkl
