// How rows are divided for cross-validation.
#pragma once

#include <cstdint>

#include "spicymkl/pipeline/target.hpp"

namespace spicymkl {

/// Rows to learn from and rows to test on, each in increasing order.
struct Fold {
  std::vector<Index> training, test;
};

/// Fewer than 2 parts are an InputError.
void check_fold_count(int count);

/// Shuffles the rows by `seed` and cuts them into `count` parts whose sizes differ by at most one; each is the test
/// part once. For classes every part also has the same share of each class, up to one row, and for survival times that
/// of events. Fewer than 2 parts, more parts than rows, or a class with a single row or a single event, which could not
/// be both learned and tested, are an InputError.
std::vector<Fold> make_folds(const Target& target, int count, std::uint64_t seed);

/// Folds made elsewhere: an InputError unless every row number is below n_rows and both parts of each fold have rows.
void check_folds(const std::vector<Fold>& folds, Index n_rows);

}  // namespace spicymkl
