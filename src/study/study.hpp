// A study of one data set: how good models of it are, which kernels they agree on, and how likely chance does as well.
// Every task depends on the study and its own number alone, and works on one thread: whoever does it, in whatever
// order and beside whatever else, finds the same bits.
#pragma once

#include "kernel_register.hpp"
#include "row_shuffle.hpp"
#include "spicymkl/selection/cross_validation.hpp"
#include "study_results.hpp"
#include "study_task.hpp"

namespace spicymkl {

/// Bytes for the kernels of one task where none are given: the same everywhere, as the answer may depend on it in the
/// last digits.
inline constexpr double kTaskMemory = 2.0 * 1024 * 1024 * 1024;

struct StudySettings {
  StudyOptions options;
  TrainingPlan plan;
  CvGrid grid;
  CvOptions choice;  ///< metric and rule by which alpha is chosen; its memory is that of one task
  RowGroups groups;
  std::uint64_t seed = 0;
};

class Study {
 public:
  /// Rows that cannot be divided as the options ask are an InputError. The data set must outlive it.
  Study(const Dataset& data, StudySettings settings);

  const StudySettings& settings() const { return settings_; }
  const KernelRegister& kernels() const { return kernels_; }
  /// The one that chooses first, then the others that the target allows.
  const std::vector<Metric>& measures() const { return measures_; }
  /// Strengths at which selection is counted.
  const AlphaGrid& strengths() const { return strengths_; }
  /// Tasks that fit into half of what is free of the memory, at least 1.
  int at_once(int threads) const;

  // What the tasks find; Stopped when the watch of the plan says so.
  SplitResult score(Index repeat, Index part) const;
  PairResult pair(Index number) const;
  NullResult null(Index shuffle) const;

 private:
  struct Split;
  SplitResult score_split(const Split& split) const;
  std::vector<Entry> entries(const std::vector<Index>& rows) const;
  void check_rows() const;
  Share share() const { return {1, settings_.choice.memory}; }

  const Dataset& data_;
  StudySettings settings_;
  Exchange exchange_;
  KernelRegister kernels_;
  std::vector<Metric> measures_;
  AlphaGrid strengths_;
  CvGrid without_empty_;  // the grid less the strengths at which no kernel is selected
};

}  // namespace spicymkl
