#include "spicymkl/selection/folds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/random_draws.hpp"
#include "core/wording.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

/// The rows of each class, or with and without events; all rows for numbers.
std::vector<std::vector<Index>> strata(const Target& target) {
  std::vector<std::vector<Index>> rows(target.n_strata());
  for (Index i = 0; i < target.n_rows(); ++i) rows[target.stratum(i)].push_back(i);
  if (target.survival() && rows.back().size() < 2)
    throw InputError(
        fmt::format("there is {} in {} rows, but cross-validation needs at least 2, one to learn from and one to test "
                    "on; give more rows",
                    counted(std::ssize(rows.back()), "event"), target.n_rows()));
  for (std::size_t c = 0; c < target.classes.size(); ++c)
    if (rows[c].size() < 2)
      throw InputError(
          fmt::format("class '{}' has {} row, but cross-validation needs at least 2 of each class, one to "
                      "learn from and one to test on; leave it out or give more rows",
                      target.classes[c], rows[c].size()));
  return rows;
}

/// Per row, its part. Rows are dealt like cards, class after class, so that parts are equal in size and in classes.
std::vector<int> deal(const Target& target, int count, std::uint64_t seed) {
  RandomDraws draws(seed);
  std::vector<int> part(target.n_rows());
  int next = 0;
  for (std::vector<Index>& rows : strata(target)) {
    draws.shuffle(rows);
    for (const Index row : rows) {
      part[row] = next;
      next = (next + 1) % count;
    }
  }
  return part;
}

}  // namespace

void check_fold_count(int count) {
  if (count < 2) throw InputError(fmt::format("folds is {}, but cross-validation needs at least 2", count));
}

std::vector<Fold> make_folds(const Target& target, int count, std::uint64_t seed) {
  check_fold_count(count);
  if (count > target.n_rows())
    throw InputError(fmt::format("folds is {}, but there are only {} rows; use fewer folds", count, target.n_rows()));
  const std::vector<int> part = deal(target, count, seed);
  std::vector<Fold> folds(count);
  for (Index row = 0; row < target.n_rows(); ++row)
    for (int f = 0; f < count; ++f) (part[row] == f ? folds[f].test : folds[f].training).push_back(row);
  return folds;
}

void check_folds(const std::vector<Fold>& folds, Index n_rows) {
  if (folds.empty()) throw InputError("there are no folds");
  const auto outside = [&](Index row) { return row < 0 || row >= n_rows; };
  for (std::size_t f = 0; f < folds.size(); ++f) {
    for (const auto* rows : {&folds[f].training, &folds[f].test}) {
      if (rows->empty()) throw InputError(fmt::format("fold {} has no rows to learn from, or none to test on", f + 1));
      if (const auto bad = std::find_if(rows->begin(), rows->end(), outside); bad != rows->end())
        throw InputError(fmt::format("fold {} names row {}, but rows run from 0 to {}", f + 1, *bad, n_rows - 1));
    }
  }
}

}  // namespace spicymkl
