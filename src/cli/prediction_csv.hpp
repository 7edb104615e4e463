// Predictions as CSV.
#pragma once

#include <string>

#include "spicymkl/model/scores.hpp"

namespace spicymkl::cli {

/// Columns: prediction; for classes score (two) or score_<class> (more) and, where the loss has them,
/// probability_<class>; with `contributions` the share of every active kernel under its name, for several classes
/// "<class>: <name>". The shares and the intercept add up to the score, or to the predicted number.
std::string prediction_header(const Model& model, bool contributions);
std::string prediction_rows(const Model& model, const Scores& scores, bool contributions);

}  // namespace spicymkl::cli
