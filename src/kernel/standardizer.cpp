#include "spicymkl/kernel/standardizer.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr double kMeanRounding = 8 * std::numeric_limits<double>::epsilon();
constexpr double kValueCost = 4;  // multiplications that take as long

struct Scaling {
  double mean, scale;
};

Scaling fit_column(ConstVectorRef column) {
  if (column.size() == 0) return {0, 1};  // no row has the source
  // Asked exactly: the rounded deviation of a constant need not be 0.
  if ((column.array() == column(0)).all()) return {column(0), 1};
  const double mean = column.mean();
  // Scaled by the largest deviation, so that neither tiny nor huge columns lose their squares.
  const double largest = (column.array() - mean).abs().maxCoeff();
  return {mean, largest * std::sqrt(((column.array() - mean) / largest).square().mean())};
}

void apply_to_column(const Scaling& scaling, VectorRef column) {
  // A value that equals the mean but for its rounding is at 0: what is left has no digit, and dividing by
  // √k(x, x) would make it as large as any other.
  const double nothing = kMeanRounding * std::abs(scaling.mean);
  column = column.unaryExpr([&](double value) {
    const double above = value - scaling.mean;
    return std::abs(above) <= nothing ? 0.0 : above / scaling.scale;
  });
}

/// Calls work(j) for the columns of numbers.
template <class Work>
void for_each_number_column(const Samples& samples, int threads, const Work& work) {
  parallel_for(samples.n_columns(), threads, kValueCost * static_cast<double>(samples.n_rows()),
               [&](Index begin, Index end) {
                 for (Index j = begin; j < end; ++j)
                   if (!samples.is_categorical(j)) work(j);
               });
}

}  // namespace

Standardizer Standardizer::fit(const Samples& training, int threads) {
  Standardizer fitted{Vector::Zero(training.n_columns()), Vector::Ones(training.n_columns())};
  for_each_number_column(training, threads, [&](Index j) {
    Vector room;
    const Scaling scaling = fit_column(training.present_values(j, room));
    fitted.mean(j) = scaling.mean;
    fitted.scale(j) = scaling.scale;
  });
  return fitted;
}

void Standardizer::apply(Samples& samples, int threads) const {
  if (samples.n_columns() != mean.size())
    throw InputError(
        fmt::format("the table has {} columns, but the scaling was fitted on {}: give the columns of the "
                    "training table",
                    samples.n_columns(), mean.size()));
  for_each_number_column(samples, threads, [&](Index j) {
    apply_to_column({mean(j), scale(j)}, samples.values.col(j));
    const std::array column = {j};
    if (const Vector present = samples.views.presence(column); present.size() > 0)
      samples.values.col(j).array() *= present.array();
  });
}

}  // namespace spicymkl
