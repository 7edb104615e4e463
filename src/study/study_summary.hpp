// All parts of a study put together.
#pragma once

#include "error_bound.hpp"
#include "score_spread.hpp"
#include "study_description.hpp"
#include "study_part.hpp"

namespace spicymkl {

struct MeasureSummary {
  Metric metric = Metric::accuracy;
  ScoreSpread spread;
  Index n_scores = 0;  ///< splits on which it is defined
};

/// Kernels or sources: how many are selected at each strength, or at a stronger one, and how often each of them is.
struct SelectionSummary {
  std::vector<double> mean_selected;             ///< q at each strength
  std::vector<double> bound;                     ///< expected false selections at the threshold, as the options ask
  std::vector<double> cautious_bound;            ///< the same without assumptions
  std::vector<std::vector<double>> frequencies;  ///< [candidate][strength]: share of the halves
  std::vector<double> both;                      ///< share of the pairs that select it in both halves, at `point`
  Index point = 0;  ///< the weakest strength whose bound is within what was asked; −1: there is none

  bool any() const { return !frequencies.empty(); }
  double frequency(Index candidate) const { return point < 0 ? 0 : frequencies[candidate][point]; }
};

/// A kernel or a source in the models of the splits.
struct UseSummary {
  double models = 0;   ///< share of the models that use it
  double weight = 0;   ///< mean part of all weights
  double drop = 0;     ///< of a source: mean loss of score when its rows are shuffled
  double p_value = 1;  ///< of a source, over all splits
};

struct StudySummary {
  std::vector<SplitResult> splits;  ///< repeat after repeat
  std::vector<MeasureSummary> measures;
  double baseline = 0;  ///< of the first measure, mean
  std::vector<UseSummary> kernel_use, source_use;
  SelectionSummary kernels, sources;
  std::vector<double> null_scores;  ///< the first is that of the target as it is
  double p_value = 1;
};

/// `parts` are those of list_tasks, in that order.
StudySummary summarize(const StudyDescription& study, const std::vector<PartResult>& parts);

}  // namespace spicymkl
