// Entries of a long vector that an active-set method has chosen, with their values.
#pragma once

#include <algorithm>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

struct ChosenEntries {
  std::vector<Index> set;
  Vector values;

  bool contains(Index entry) const { return std::ranges::find(set, entry) != set.end(); }

  void enter(Index entry, double value) {
    set.push_back(entry);
    values.conservativeResize(values.size() + 1);
    values(values.size() - 1) = value;
  }

  /// The smallest of those from `first` on leaves.
  void drop_smallest(Index first = 0) {
    Index smallest = 0;
    values.tail(values.size() - first).minCoeff(&smallest);
    smallest += first;
    set.erase(set.begin() + smallest);
    const Index rest = values.size() - smallest - 1;
    values.segment(smallest, rest) = values.tail(rest).eval();
    values.conservativeResize(values.size() - 1);
  }
};

}  // namespace spicymkl
