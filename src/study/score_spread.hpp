// A score that was measured on many divisions of the same rows, and how far it can be trusted.
#pragma once

#include <vector>

#include "spicymkl/selection/assessment.hpp"

namespace spicymkl {

/// What one division of the rows says.
struct SplitScore {
  double value = 0;
  double n_training = 0;
  double n_test = 0;
};

struct ScoreSpread {
  double mean = 0;
  double deviation = 0;  ///< over the divisions
  /// Of the score of models learned from as many rows. Divisions share rows, so that their mean varies more than that
  /// of as many independent ones: (1/J + n_test/n_training)·s² with J − 1 degrees of freedom (Nadeau and Bengio,
  /// Machine Learning 52, 2003), cut where the measure ends. None for fewer than two.
  std::optional<ConfidenceInterval> interval;
};

ScoreSpread spread_of(Metric metric, const std::vector<SplitScore>& scores);

/// The number that a t-distributed one stays within, on both sides, with probability kConfidence.
double t_quantile(double degrees_of_freedom);

}  // namespace spicymkl
