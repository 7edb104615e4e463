#include "spicymkl/model/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

Vector part(const Vector& values, std::span<const Index> selected) {
  Vector chosen(std::ssize(selected));
  for (Index k = 0; k < std::ssize(selected); ++k) chosen(k) = values(selected[k]);
  return chosen;
}

/// read_table takes a number for a position when no column has it as its name.
void refuse_positions(const Table& table, const std::vector<std::string>& names) {
  for (std::size_t j = 0; j < names.size(); ++j)
    if (table.columns[j] != names[j])
      throw InputError(
          fmt::format("{}: there is no column '{}', which the model needs; give the columns of the training "
                      "table",
                      table.path, names[j]));
}

/// A LIBSVM file leaves out zeros, and with them whole columns at its end: x7 means that there are at least 7.
Index least_features(const std::vector<std::string>& names) {
  Index least = 0;
  for (const std::string& name : names) {
    Index number = 0;
    const char* end = name.data() + name.size();
    if (name.starts_with('x') && std::from_chars(name.data() + 1, end, number).ptr == end)
      least = std::max(least, number);
  }
  return least;
}

/// Coded as the training table to samples.
Samples finished(const Preparation& preparation, Table table) {
  if (preparation.imputer) preparation.imputer->apply(table.values);
  else check_complete(table, "fill it in, or train the model with --impute median, so that it can do that itself");
  Samples samples = to_samples(std::move(table));
  if (preparation.standardizer) preparation.standardizer->apply(samples);
  return samples;
}

}  // namespace

Preparation Preparation::only(std::span<const Index> selected) const {
  Preparation chosen;
  chosen.id_name = id_name;
  for (const Index j : selected) {
    chosen.columns.push_back(columns[j]);
    chosen.categories.push_back(categories[j]);
  }
  if (imputer) chosen.imputer = Imputer{imputer->method, part(imputer->fill, selected)};
  if (standardizer)
    chosen.standardizer = Standardizer{part(standardizer->mean, selected), part(standardizer->scale, selected)};
  return chosen;
}

Table Preparation::read(const std::string& path, TableOptions options) const {
  options.keep = columns;
  options.least_features = least_features(columns);
  if (options.id.empty()) {
    options.id = id_name;
    options.id_is_optional = true;
  }
  options.drop.clear();
  options.categorical.clear();
  for (Index j = 0; j < n_columns(); ++j)
    if (is_categorical(j)) options.categorical.push_back(columns[j]);
  Table table = read_table(path, options);
  refuse_positions(table, columns);
  return table;
}

Samples Preparation::apply(Table table) const {
  refuse_unseen(table, recode_categories(table, categories));
  return finished(*this, std::move(table));
}

Samples Preparation::apply(Table table, Leniency& done) const {
  done.unseen = recode_categories(table, categories);
  for (Index j = 0; j < table.values.cols(); ++j) {
    const Index missing = table.values.col(j).array().isNaN().count();
    done.imputed_cells += missing;
    done.imputed_columns += missing > 0;
  }
  return finished(*this, std::move(table));
}

void Preparation::refuse_leniency(Table table) const {
  refuse_unseen(table, recode_categories(table, categories), "correct it, or leave out --strict");
  check_complete(table, imputer ? "fill it in, or leave out --strict" : "fill it in");
}

Samples to_samples(Table table) {
  Samples samples{std::move(table.columns), std::move(table.values), {}, std::move(table.lines)};
  for (const auto& texts : table.categories) samples.categorical.push_back(!texts.empty());
  return samples;
}

}  // namespace spicymkl
