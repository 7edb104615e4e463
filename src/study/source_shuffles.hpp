// What a source is worth to a model, on rows that it has not seen: its rows are dealt out anew among them.
#pragma once

#include "kernel_register.hpp"
#include "row_shuffle.hpp"
#include "spicymkl/model/scores.hpp"
#include "spicymkl/selection/measure.hpp"
#include "study_results.hpp"

namespace spicymkl {

/// A model and what it says of rows that were not learned from.
struct TestedModel {
  const Model& model;
  const Target& truth;
  const Scores& scores;
  const std::vector<Index>& numbers;  ///< of its kernels in the register
};

struct ShuffleOptions {
  Metric metric = Metric::accuracy;
  Exchange exchange = Exchange::rows;
  RowGroups groups;  ///< of the test rows
  std::uint64_t seed = 0;
};

/// The sources with an active kernel, by number. f = Σ f_m + b, so that shuffling the rows of a source shuffles the sum
/// of its f_m and needs no kernel. The p-value is exact, for this model, of the hypothesis that the source is
/// independent of the target and of the other sources together.
std::vector<SourceUse> shuffle_sources(const TestedModel& tested, const KernelRegister& kernels,
                                       const ShuffleOptions& options);

/// Each active kernel's part of all weights, mean over the fits, by number.
std::vector<KernelUse> kernel_use(const Model& model, const std::vector<Index>& numbers);

}  // namespace spicymkl
