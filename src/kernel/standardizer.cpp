#include "spicymkl/kernel/standardizer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr double kMeanRounding = 8 * std::numeric_limits<double>::epsilon();

}  // namespace

Standardizer Standardizer::fit(const Samples& training) {
  Standardizer fitted{Vector::Zero(training.n_columns()), Vector::Ones(training.n_columns())};
  for (Index j = 0; j < training.n_columns(); ++j) {
    if (training.is_categorical(j)) continue;
    const auto column = training.values.col(j);
    if ((column.array() == column(0)).all()) {  // asked exactly: the rounded deviation of a constant need not be 0
      fitted.mean(j) = column(0);
      continue;
    }
    fitted.mean(j) = column.mean();
    // Scaled by the largest deviation, so that neither tiny nor huge columns lose their squares.
    const double largest = (column.array() - fitted.mean(j)).abs().maxCoeff();
    fitted.scale(j) = largest * std::sqrt(((column.array() - fitted.mean(j)) / largest).square().mean());
  }
  return fitted;
}

void Standardizer::apply(Samples& samples) const {
  if (samples.n_columns() != mean.size())
    throw InputError(
        fmt::format("the table has {} columns, but the scaling was fitted on {}: give the columns of the "
                    "training table",
                    samples.n_columns(), mean.size()));
  for (Index j = 0; j < samples.n_columns(); ++j) {
    if (samples.is_categorical(j)) continue;
    // A value that equals the mean but for its rounding is at 0: what is left has no digit, and dividing by
    // √k(x, x) would make it as large as any other.
    const double nothing = kMeanRounding * std::abs(mean(j));
    samples.values.col(j) = samples.values.col(j).unaryExpr([&](double value) {
      const double above = value - mean(j);
      return std::abs(above) <= nothing ? 0.0 : above / scale(j);
    });
  }
}

}  // namespace spicymkl
