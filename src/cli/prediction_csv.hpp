// Predictions as CSV.
#pragma once

#include <string>

#include "spicymkl/model/scores.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

/// Columns: the identity of the rows, if they have one; prediction; for classes score (two) or score_<class> (more)
/// and, where the loss has them, probability_<class>; with `contributions` the share of every active kernel under its
/// name, for several classes "<class>: <name>". Of several targets, prediction_<target> for each, and shares
/// "<target>: <name>". Of survival times the prediction is the log-risk, and survival_<time> the probability to be
/// without the event until then. The shares and the intercept add up to the score, or to the predicted number.
class PredictionCsv {
 public:
  /// The model and the names must outlive this.
  PredictionCsv(const Model& model, const RowNames& names, bool contributions, std::vector<double> times = {})
      : model_(model), names_(names), contributions_(contributions), times_(std::move(times)) {}

  std::string header() const;
  /// `first` is the number of the first of these rows.
  std::string rows(Index first, const Scores& scores) const;

 private:
  const Model& model_;
  const RowNames& names_;
  bool contributions_;
  std::vector<double> times_;
};

}  // namespace spicymkl::cli
