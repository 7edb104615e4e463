#include "spicymkl/kernel/samples.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>

#include "core/row_sums.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr double kLargest = 1e150;  // squares and sums of squares stay finite

void check_shape(const Samples& samples) {
  if (samples.n_rows() == 0) throw InputError("the table has no rows: kernels need at least one sample");
  if (samples.n_columns() == 0) throw InputError("the table has no columns to compute kernels from");
  if (std::ssize(samples.columns) != samples.n_columns())
    throw InputError(fmt::format("the table has {} columns but {} column names: give each column one name",
                                 samples.n_columns(), samples.columns.size()));
  if (!samples.categorical.empty() && std::ssize(samples.categorical) != samples.n_columns())
    throw InputError(fmt::format("the table has {} columns, but {} are marked as categorical or not: mark each column",
                                 samples.n_columns(), samples.categorical.size()));
}

void check_names(const Samples& samples) {
  std::set<std::string_view> seen;
  for (std::size_t j = 0; j < samples.columns.size(); ++j) {
    const std::string& name = samples.columns[j];
    if (name.empty()) throw InputError(fmt::format("column {} has no name: name every column", j + 1));
    if (!seen.insert(name).second)
      throw InputError(fmt::format("column name '{}' occurs twice: rename one of the two columns", name));
  }
}

void check_column(const Samples& samples, Index j) {
  for (Index i = 0; i < samples.n_rows(); ++i) {
    const double value = samples.values(i, j);
    const std::string& name = samples.columns[j];
    if (!std::isfinite(value))
      throw InputError(
          fmt::format("column '{}', {}: the value is {}, but kernels need finite numbers; fill in or "
                      "leave out missing values",
                      name, samples.place(i), value));
    if (std::abs(value) > kLargest)
      throw InputError(
          fmt::format("column '{}', {}: the value is {:g}, whose square is beyond the range of double precision; "
                      "correct it, or divide the column by a constant",
                      name, samples.place(i), value));
    if (samples.is_categorical(j) && (value < 0 || value != std::floor(value)))
      throw InputError(
          fmt::format("column '{}', {}: the category code is {}, but codes are 0, 1, 2, …; or mark the "
                      "column as numeric",
                      name, samples.place(i), value));
  }
}

void check_values(const Samples& samples, int threads) {
  std::vector<char> plain(static_cast<std::size_t>(samples.n_columns()));  // numbers, all of them within the range
  const double cost = kFromMemory * static_cast<double>(samples.n_rows());
  parallel_for(samples.n_columns(), threads, cost, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j)
      plain[j] =
          !samples.is_categorical(j) && (samples.values.col(j).array().abs() <= kLargest).count() == samples.n_rows();
  });
  for (Index j = 0; j < samples.n_columns(); ++j)
    if (!plain[j]) check_column(samples, j);
}

void take_places(const Samples& from, std::span<const Index> rows, Samples& to) {
  for (const Index row : rows) {
    if (!from.lines.empty()) to.lines.push_back(from.lines[row]);
    if (!from.names.empty()) to.names.push_back(from.names[row]);
  }
}

}  // namespace

void check_samples(const Samples& samples, int threads) {
  check_shape(samples);
  check_names(samples);
  check_values(samples, threads);
}

std::string Samples::place(Index row) const {
  if (!names.empty()) return names[row];
  if (lines.empty()) return fmt::format("row {}", row + 1);
  return fmt::format("line {}", lines[row]);
}

ConstVectorRef Samples::present_values(Index column, Vector& room) const {
  const std::array asked = {column};
  if (views.presence(asked).size() == 0) return values.col(column);
  room = values.col(column)(views.present_rows(asked, n_rows()));
  return room;
}

Samples select_rows(const Samples& samples, std::span<const Index> rows) {
  Samples selected{samples.columns,         Matrix(std::ssize(rows), samples.n_columns()), samples.categorical, {}, {},
                   samples.views.rows(rows)};
  for (Index j = 0; j < samples.n_columns(); ++j)
    for (Index i = 0; i < std::ssize(rows); ++i) selected.values(i, j) = samples.values(rows[i], j);
  take_places(samples, rows, selected);
  return selected;
}

Samples select(const Samples& samples, std::span<const Index> rows, std::span<const Index> columns, int threads) {
  Samples selected{{}, Matrix(std::ssize(rows), std::ssize(columns)), {}, {},
                   {}, samples.views.columns(columns).rows(rows)};
  const double cost = kFromMemory * static_cast<double>(std::ssize(rows));
  parallel_for(std::ssize(columns), threads, cost, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) {
      const double* from = samples.values.col(columns[j]).data();
      double* to = selected.values.col(j).data();
      for (const Index row : rows) *to++ = from[row];
    }
  });
  for (const Index column : columns) {
    selected.columns.push_back(samples.columns[column]);
    selected.categorical.push_back(samples.is_categorical(column));
  }
  take_places(samples, rows, selected);
  return selected;
}

Samples select_columns(const Samples& samples, std::span<const Index> columns) {
  Samples selected{{},
                   Matrix(samples.n_rows(), std::ssize(columns)),
                   {},
                   samples.lines,
                   samples.names,
                   samples.views.columns(columns)};
  for (const Index column : columns) {
    selected.values.col(std::ssize(selected.columns)) = samples.values.col(column);
    selected.columns.push_back(samples.columns[column]);
    selected.categorical.push_back(samples.is_categorical(column));
  }
  return selected;
}

}  // namespace spicymkl
