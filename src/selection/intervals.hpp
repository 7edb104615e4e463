// Intervals around estimates.
#pragma once

#include "spicymkl/selection/assessment.hpp"

namespace spicymkl {

inline constexpr double kNormalQuantile = 1.959963984540054;  // leaves half of 1 − kConfidence on each side

/// I_x(a, b), the distribution function of the beta distribution.
double beta_distribution(double x, double a, double b);

/// Of a positive number, given the standard error of its logarithm.
ConfidenceInterval interval_by_log(double value, double log_error);
/// Of a number between 0 and 1, given its standard error; none at 0 and 1, or where the error is unknown.
std::optional<ConfidenceInterval> interval_by_logit(double value, double error);

/// The standard error of the logarithm of the mean of positive values; none for fewer than two, or a mean of 0.
std::optional<double> log_error_of_mean(ConstVectorRef values);

/// The standard error of the mean over the curves of their areas, after DeLong, DeLong and Clarke-Pearson (1988);
/// scores as those of class_metrics. None where a class, or the rest, has fewer than two rows.
std::optional<double> auc_error(const std::vector<Index>& truth, ConstMatrixRef scores);

}  // namespace spicymkl
