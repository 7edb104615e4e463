#include "intervals.hpp"

#include <math.h>  // lgamma_r is POSIX

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/monotone_root.hpp"

namespace spicymkl {

namespace {

/// ln Γ(x). std::lgamma writes a global variable, and the parts of a study ask side by side.
double log_gamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}

double log_beta(double a, double b) { return log_gamma(a) + log_gamma(b) - log_gamma(a + b); }

/// The continued fraction of I_x(a, b) by Lentz's method; converges fast for x < (a + 1)/(a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  constexpr int kMostSteps = 10000;
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m <= kMostSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

double beta_density(double x, double a, double b) {
  return std::exp((a - 1) * std::log(x) + (b - 1) * std::log1p(-x) - log_beta(a, b));
}

/// The x at which I_x(a, b) is p.
double beta_quantile(double p, double a, double b) {
  const auto excess = [&](double x) { return SlopedValue{beta_distribution(x, a, b) - p, beta_density(x, a, b)}; };
  return monotone_root(excess, 0, 1, a / (a + b));
}

/// What part of the others lies below each row of one kind, ties counted half, less the mean of it: rows of the kind,
/// in the order of `mine`, per DeLong's structural components.
Vector placements(const std::vector<double>& mine, std::vector<double> others) {
  std::ranges::sort(others);
  Vector below(std::ssize(mine));
  for (Index i = 0; i < below.size(); ++i) {
    const auto [first, last] = std::ranges::equal_range(others, mine[i]);
    below(i) = (static_cast<double>(first - others.begin()) + static_cast<double>(last - first) / 2) /
               static_cast<double>(others.size());
  }
  return below.array() - below.mean();
}

/// Adds what each row does to the area of one curve, scaled so that the sum of squares is its variance.
bool add_influences(const std::vector<Index>& truth, Index positive, ConstVectorRef scores, Vector& influence) {
  std::vector<double> with, without;
  for (std::size_t i = 0; i < truth.size(); ++i)
    (truth[i] == positive ? with : without).push_back(scores(static_cast<Index>(i)));
  if (with.size() < 2 || without.size() < 2) return false;
  const auto per_row = [](const std::vector<double>& rows) {
    return 1 / std::sqrt(static_cast<double>(rows.size()) * static_cast<double>(rows.size() - 1));
  };
  const Vector of_with = placements(with, without) * per_row(with);
  const Vector of_without = -placements(without, with) * per_row(without);
  Index at = 0, other = 0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    influence(static_cast<Index>(i)) += truth[i] == positive ? of_with(at++) : of_without(other++);
  return true;
}

}  // namespace

double beta_distribution(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta(a, b));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a : 1 - front * beta_fraction(1 - x, b, a) / b;
}

ConfidenceInterval share_interval(Index count, Index of) {
  const auto k = static_cast<double>(count), n = static_cast<double>(of);
  const double tail = (1 - kConfidence) / 2;
  return {count == 0 ? 0 : beta_quantile(tail, k, n - k + 1), count == of ? 1 : beta_quantile(1 - tail, k + 1, n - k)};
}

ConfidenceInterval interval_by_log(double value, double log_error) {
  const double factor = std::exp(kNormalQuantile * log_error);
  return {value / factor, value * factor};
}

std::optional<ConfidenceInterval> interval_by_logit(double value, double error) {
  if (!(value > 0 && value < 1)) return std::nullopt;
  const double middle = std::log(value / (1 - value)), half = kNormalQuantile * error / (value * (1 - value));
  return ConfidenceInterval{1 / (1 + std::exp(half - middle)), 1 / (1 + std::exp(-half - middle))};
}

std::optional<double> log_error_of_mean(ConstVectorRef values) {
  const auto n = static_cast<double>(values.size());
  const double mean = values.mean();
  if (values.size() < 2 || mean == 0) return std::nullopt;
  return std::sqrt((values.array() - mean).square().sum() / (n * (n - 1))) / mean;
}

std::optional<double> auc_error(const std::vector<Index>& truth, ConstMatrixRef scores) {
  Vector influence = Vector::Zero(scores.rows());
  const bool two = scores.cols() == 1;
  for (Index c = 0; c < scores.cols(); ++c)
    if (!add_influences(truth, two ? 1 : c, scores.col(c), influence)) return std::nullopt;
  return influence.norm() / static_cast<double>(scores.cols());
}

}  // namespace spicymkl
