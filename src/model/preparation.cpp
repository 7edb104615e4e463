#include "spicymkl/model/preparation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/wording.hpp"
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

/// The columns of a source as its own table has them; their places among all are added to `places`.
std::vector<std::string> own_columns(const Preparation& preparation, Index source, std::vector<Index>& places) {
  std::vector<std::string> names;
  for (Index j = 0; j < preparation.n_columns(); ++j) {
    if (preparation.views.of_column[j] != source) continue;
    places.push_back(j);
    names.push_back(preparation.columns[j].substr(preparation.views.names[source].size() + 1));
  }
  return names;
}

Index source_called(const Views& views, const std::string& name) {
  const auto found = std::find(views.names.begin(), views.names.end(), name);
  return found == views.names.end() ? -1 : found - views.names.begin();
}

/// One of several tables, with the columns that the model has of it.
Table read_source(const Preparation& preparation, const SourceFile& file, const std::vector<SourceFile>& files,
                  const TableOptions& options) {
  const Index source = source_called(preparation.views, file.name);
  TableOptions own = options_of_source(options, file.name, files);
  std::vector<Index> places;
  if (source >= 0) own.keep = own_columns(preparation, source, places);
  for (std::size_t k = 0; k < places.size(); ++k)
    if (preparation.is_categorical(places[k])) own.categorical.push_back(own.keep[k]);
  own.no_columns = own.keep.empty();
  if (source < 0 && options.target.empty() && options.targets.empty())
    throw InputError(
        fmt::format("{}: the model has no source '{}'; its sources are {}: leave the table out, or name "
                    "it as in training, NAME={}",
                    file.path, file.name, fmt::join(preparation.views.names, ", "), file.path));
  Table table = read_table(file.path, own);
  if (source < 0 && !table.has_target())
    throw InputError(
        fmt::format("{}: the model has no source '{}', and the table has no column '{}' to compare with; "
                    "leave it out",
                    file.path, file.name, options.targets.empty() ? options.target : listed(options.targets)));
  refuse_positions(table, own.keep);
  return table;
}

/// Sources that some column is of, but no file.
std::vector<std::string> absent_sources(const Preparation& preparation, const std::vector<SourceFile>& files) {
  const Views& views = preparation.views;
  std::vector<std::string> absent;
  for (std::size_t s = 0; s < views.names.size(); ++s) {
    const bool given = std::any_of(files.begin(), files.end(), [&](const auto& f) { return f.name == views.names[s]; });
    const bool used = std::find(views.of_column.begin(), views.of_column.end(), s) != views.of_column.end();
    if (!given && used) absent.push_back(views.names[s]);
  }
  return absent;
}

/// The columns of `table` as those of the model, in its order; a source that is not there lacks every row.
Table arranged(const Preparation& preparation, Table table) {
  const Views joined = std::exchange(table.views, preparation.views);
  const std::vector<TableOrigin> origins = std::exchange(table.origins, {});
  const auto n_sources = std::ssize(preparation.views.names);
  Matrix& present = table.views.present = Matrix::Zero(table.rows(), n_sources);
  for (Index s = 0; s < n_sources; ++s) {
    const Index from = source_called(joined, preparation.views.names[s]);
    table.origins.push_back(from < 0 ? TableOrigin{} : origins[from]);
    if (from < 0) continue;
    if (joined.present.size() == 0) present.col(s).setOnes();
    else present.col(s) = joined.present.col(from);
  }
  if (table.has_target()) table.origins.push_back(origins[std::exchange(table.target_origin, n_sources)]);
  std::unordered_map<std::string_view, Index> places;
  for (Index j = 0; j < preparation.n_columns(); ++j) places.emplace(preparation.columns[j], j);
  Matrix values = Matrix::Constant(table.rows(), preparation.n_columns(), std::numeric_limits<double>::quiet_NaN());
  std::vector<std::vector<std::string>> categories(preparation.columns.size());
  for (Index j = 0; j < table.values.cols(); ++j) {
    const Index at = places.at(table.columns[j]);
    values.col(at) = table.values.col(j);
    categories[at] = std::move(table.categories[j]);
  }
  table.columns = preparation.columns;
  table.values = std::move(values);
  table.categories = std::move(categories);
  if ((present.array() == 1).all()) present.resize(0, 0);
  return table;
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
  chosen.views = views.columns(selected);
  for (const Index j : selected) {
    chosen.columns.push_back(columns[j]);
    chosen.categories.push_back(categories[j]);
  }
  if (imputer) chosen.imputer = Imputer{imputer->method, part(imputer->fill, selected)};
  if (standardizer)
    chosen.standardizer = Standardizer{part(standardizer->mean, selected), part(standardizer->scale, selected)};
  for (CovariateTerm term : covariates) {
    const auto place = std::ranges::find(selected, term.column);
    if (place == selected.end()) continue;
    term.column = place - selected.begin();
    chosen.covariates.push_back(std::move(term));
  }
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

Table Preparation::read(const std::vector<SourceFile>& files, TableOptions options, MissingView missing, RowOrder order,
                        bool may_lack_sources) const {
  const std::vector<std::string> absent = absent_sources(*this, files);
  if (!absent.empty() && !may_lack_sources)
    throw InputError(
        fmt::format("the model needs its source '{0}' as well: give {0}=FILE, or --missing-view zero, and "
                    "it says nothing of these samples",
                    absent.front()));
  if (options.id.empty()) options.id = id_name;
  options.drop.clear();
  options.categorical.clear();
  std::vector<NamedTable> tables;
  for (const SourceFile& file : files) tables.push_back({file.name, read_source(*this, file, files, options)});
  Table joined = join_tables(std::move(tables), missing, order);
  if (!options.weights.empty() && joined.weight_name.empty())
    throw InputError(
        fmt::format("weights '{}': no table has such a column; weights of several tables are one of their columns",
                    options.weights));
  for (const std::string& source : absent)
    joined.remarks.push_back(fmt::format("there is no table '{}': it says nothing of these samples", source));
  return arranged(*this, std::move(joined));
}

Samples Preparation::apply(Table table) const {
  refuse_unseen(table, recode_categories(table, categories));
  return finished(*this, std::move(table));
}

Samples Preparation::apply(Table table, Leniency& done) const {
  done.unseen = recode_categories(table, categories);
  for (Index j = 0; j < table.values.cols(); ++j) {
    Index missing = 0;
    if (table.values.col(j).array().isNaN().any())
      for (Index i = 0; i < table.rows(); ++i) missing += is_missing_cell(table, i, j);
    done.imputed_cells += missing;
    done.imputed_columns += missing > 0;
  }
  return finished(*this, std::move(table));
}

void Preparation::refuse_leniency(Table table) const {
  refuse_unseen(table, recode_categories(table, categories), "correct it, or leave out --strict");
  check_complete(table, imputer ? "fill it in, or leave out --strict" : "fill it in");
}

std::vector<std::string> reference_levels(const Preparation& preparation) {
  std::vector<std::string> levels;
  for (const CovariateTerm& term : preparation.covariates)
    if (term.category == 1)
      levels.push_back(
          fmt::format("{}={}", preparation.columns[term.column], preparation.categories[term.column].front()));
  return levels;
}

Samples to_samples(Table table) {
  if (table.views.present.size() > 0)
    for (Index j = 0; j < table.values.cols(); ++j)
      for (Index i = 0; i < table.rows(); ++i)
        if (!table.views.has(i, j)) table.values(i, j) = 0;
  std::vector<std::string> names;
  if (table.views.several())
    for (const std::string& id : table.ids) names.push_back(fmt::format("{} '{}'", table.id_name, id));
  Samples samples{std::move(table.columns), std::move(table.values), {},
                  std::move(table.lines),   std::move(names),        std::move(table.views)};
  for (const auto& texts : table.categories) samples.categorical.push_back(!texts.empty());
  return samples;
}

}  // namespace spicymkl
