#include "spicymkl/model/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "spicymkl/model/outputs.hpp"
#include "spicymkl/model/scores.hpp"
#include "stored_rows.hpp"

namespace spicymkl {

namespace {

constexpr Index kMostValues = 24;         // a column with no more different values than this is counted by value
constexpr Index kMostRowsOfSpread = 500;  // a standard deviation needs no more

/// Standardising and back leaves an error in the last digits, which nobody typed.
double without_rounding(double value) { return std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr); }

/// A column as the user gave it.
Vector in_own_units(const TableModel& table, Index used) {
  Vector room;
  Vector values = table.rows->present_values(used, room);
  if (values.size() == 0) values = Vector::Zero(1);  // a rare source, of which no row is kept
  const Index column = table.used_columns[used];
  const auto& standardizer = table.preparation.standardizer;
  if (!standardizer || table.preparation.is_categorical(column)) return values;
  return (values.array() * standardizer->scale(column) + standardizer->mean(column)).unaryExpr(&without_rounding);
}

Vector as_prepared(const TableModel& table, Index column, const Vector& values) {
  const auto& standardizer = table.preparation.standardizer;
  if (!standardizer || table.preparation.is_categorical(column)) return values;
  return (values.array() - standardizer->mean(column)) / standardizer->scale(column);
}

ColumnDensity density_by_value(const Vector& values) {
  std::map<double, Index> counts;
  for (const double value : values) ++counts[value];
  ColumnDensity density;
  density.places.resize(std::ssize(counts));
  Index k = 0;
  for (const auto& [value, count] : counts) {
    density.places(k++) = value;
    density.counts.push_back(count);
  }
  return density;
}

Vector grid_of(const ColumnEffect& effect, const Vector& values, Index n_points) {
  const Index n_categories = std::ssize(effect.categories);
  if (n_categories > 0) return Vector::LinSpaced(n_categories, 0, static_cast<double>(n_categories - 1));
  const double smallest = values.minCoeff(), largest = values.maxCoeff();
  return Vector::LinSpaced(smallest < largest ? n_points : 1, smallest, largest);
}

/// The effect of a column as far as it is known before any kernel is computed.
ColumnEffect start_effect(const TableModel& table, Index used, Index n_points) {
  ColumnEffect effect;
  effect.column = table.used_columns[used];
  effect.name = table.preparation.columns[effect.column];
  effect.categories = table.preparation.categories[effect.column];
  const Vector values = in_own_units(table, used);
  effect.grid = grid_of(effect, values, n_points);
  effect.density = effect.categories.empty() ? density_of(values) : density_by_value(values);
  return effect;
}

/// Some columns, by their place among those that the model uses, and their grids side by side: a kernel on one column
/// does not see the others. A shorter grid ends in repetitions.
struct Grids {
  std::map<Index, ColumnEffect> effects;
  Samples rows;
};

Grids make_grids(const TableModel& table, Index n_points) {
  Grids grids;
  for (const FittedKernel& kernel : table.kernels)
    if (const auto& columns = kernel.spec().columns; columns.size() == 1 && !grids.effects.contains(columns.front()))
      grids.effects.emplace(columns.front(), start_effect(table, columns.front(), n_points));
  Index length = 0;
  for (const auto& [used, effect] : grids.effects) length = std::max(length, effect.grid.size());
  grids.rows = {table.rows->columns, Matrix::Zero(length, table.rows->n_columns()), table.rows->categorical};
  for (const auto& [used, effect] : grids.effects) {
    auto column = grids.rows.values.col(used);
    column.head(effect.grid.size()) = as_prepared(table, effect.column, effect.grid);
    column.tail(length - effect.grid.size()).setConstant(column(effect.grid.size() - 1));
  }
  return grids;
}

/// The model without all kernels but these, given by their places in `active`.
Model with_kernels_only(const Model& model, const std::vector<Index>& places) {
  Model part;
  part.n_samples = model.n_samples;
  part.table.emplace();
  part.table->kept_rows = model.table->kept_rows;
  part.table->rows = model.table->rows;
  for (const Index k : places) {
    part.table->active.push_back(model.table->active[k]);
    part.table->kernels.push_back(model.table->kernels[k]);
    part.table->feature_sums.push_back(model.table->feature_sums[k]);
  }
  for (const Fit& fit : model.fits) {
    Fit& part_fit = part.fits.emplace_back();
    part_fit.problem = fit.problem;
    Expansion& kept = part_fit.expansion;
    kept.dual = fit.expansion.dual;
    kept.unpenalised = Matrix::Zero(fit.expansion.unpenalised.rows(), fit.n_outputs());
    std::vector<double> scale;
    for (std::size_t k = 0; k < fit.expansion.kernels.size(); ++k)
      if (std::ranges::binary_search(part.table->active, fit.expansion.kernels[k])) {
        kept.kernels.push_back(fit.expansion.kernels[k]);
        scale.push_back(fit.expansion.scale(static_cast<Index>(k)));
      }
    kept.scale = Eigen::Map<const Vector>(scale.data(), std::ssize(scale));
  }
  return part;
}

/// f_m of these kernels, of what an output of the fit has.
Matrix shares_of(const std::vector<Index>& kernels, const Fit& fit, const Matrix& shares) {
  Matrix chosen = Matrix::Zero(shares.rows(), std::ssize(kernels));
  for (std::size_t k = 0; k < fit.expansion.kernels.size(); ++k) {
    const auto found = std::ranges::find(kernels, fit.expansion.kernels[k]);
    if (found != kernels.end()) chosen.col(found - kernels.begin()) = shares.col(static_cast<Index>(k));
  }
  return chosen;
}

double deviation_of(const Vector& values) { return std::sqrt((values.array() - values.mean()).square().mean()); }

void fill_in(const Model& part, const Scores& on_grid, const Scores& on_rows, ColumnEffect& effect) {
  const std::vector<Output> outputs = outputs_of(part.fits);
  effect.total.resize(effect.grid.size(), std::ssize(outputs));
  effect.spread.resize(std::ssize(outputs));
  for (Index c = 0; c < std::ssize(outputs); ++c) {
    const Fit& fit = part.fits[outputs[c].fit];
    effect.parts.push_back(shares_of(effect.kernels, fit, on_grid.shares[c]).topRows(effect.grid.size()));
    effect.total.col(c) = effect.parts.back().rowwise().sum();
    effect.spread(c) = deviation_of(shares_of(effect.kernels, fit, on_rows.shares[c]).rowwise().sum());
  }
}

}  // namespace

ColumnDensity density_of(const Vector& values) {
  std::set<double> different;
  for (const double value : values)
    if (different.insert(value).second && std::ssize(different) > kMostValues) break;
  if (std::ssize(different) <= kMostValues) return density_by_value(values);
  ColumnDensity density;
  const double smallest = values.minCoeff(), largest = values.maxCoeff();
  density.bin_width = (largest - smallest) / static_cast<double>(kMostValues);
  density.places.resize(kMostValues);
  for (Index k = 0; k < kMostValues; ++k)
    density.places(k) = smallest + (static_cast<double>(k) + 0.5) * density.bin_width;
  density.counts.assign(kMostValues, 0);
  for (const double value : values)
    ++density.counts[std::min(kMostValues - 1, static_cast<Index>((value - smallest) / density.bin_width))];
  return density;
}

std::vector<ColumnEffect> column_effects(const Model& model, Index n_points, int threads) {
  if (!model.table) return {};
  const TableModel& table = *model.table;
  Grids grids = make_grids(table, n_points);
  std::vector<Index> places;
  for (Index k = 0; k < std::ssize(table.kernels); ++k) {
    const KernelSpec& spec = table.kernels[k].spec();
    if (spec.columns.size() != 1) continue;
    places.push_back(k);
    grids.effects.at(spec.columns.front()).kernels.push_back(table.active[k]);
  }
  if (places.empty()) return {};
  const Model part = with_kernels_only(model, places);
  const auto score = [&](Samples rows) {
    const auto scorer = make_table_scorer(part, std::move(rows), threads);
    return scorer->scores(0, scorer->n_rows());
  };
  const Scores on_grid = score(grids.rows);
  const Scores on_rows =
      score(select_rows(*table.rows, some_stored_rows(table, std::ssize(places), kMostRowsOfSpread)));
  std::vector<ColumnEffect> effects;
  for (auto& [used, effect] : grids.effects) {
    fill_in(part, on_grid, on_rows, effect);
    effects.push_back(std::move(effect));
  }
  return effects;
}

}  // namespace spicymkl
