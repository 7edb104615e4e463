// What each task of a study finds out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// A source in the model of one split.
struct SourceUse {
  Index source = 0;
  double weight = 0;   ///< its part of all kernel weights, mean over the fits
  double drop = 0;     ///< by how much the score gets worse when its rows are shuffled, mean over shuffles
  double p_value = 1;  ///< that they say nothing: shuffled rows score as well
};

/// A kernel in the model of one split.
struct KernelUse {
  Index kernel = 0;
  double weight = 0;  ///< as above
};

/// A model whose alpha was chosen among its own rows, on rows that took no part.
struct SplitResult {
  Index n_training = 0, n_test = 0;
  std::uint32_t inner_seed = 0;  ///< of the folds by which alpha was chosen
  double alpha = 0;              ///< as in the grid
  double l1_ratio = 0, q = 0;
  std::string kernels;  ///< empty: those of the options
  double n_active = 0;  ///< kernels, mean over the fits
  bool converged = true;
  std::vector<std::optional<double>> measures;  ///< in the order of the study's; none where they are not defined
  double baseline = 0;                          ///< of the first measure: what the best constant answer reaches
  std::vector<Index> rows;                      ///< that were predicted
  Matrix scores;                                ///< f(x) of these rows (rows) in every fit (columns)
  std::vector<KernelUse> active;                ///< by number
  std::vector<SourceUse> sources;               ///< those with an active kernel, by number
};

/// A kernel that is active at some strength, and the first such strength, counted from the strongest penalty.
struct Entry {
  Index kernel = 0;
  Index point = 0;
};

/// Two halves of the rows.
struct PairResult {
  std::vector<Entry> first, second;  ///< by kernel
};

/// The score of the whole pipeline, on the target as it is or shuffled.
struct NullResult {
  double score = 0;
};

}  // namespace spicymkl
