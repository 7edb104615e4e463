// How a table becomes samples: learned on the training rows, applied alike to any rows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spicymkl/io/imputer.hpp"
#include "spicymkl/io/join_tables.hpp"
#include "spicymkl/kernel/standardizer.hpp"
#include "spicymkl/model/covariates.hpp"

namespace spicymkl {

/// What had to be done to new rows that the training rows did not need.
struct Leniency {
  Index imputed_cells = 0;
  Index imputed_columns = 0;
  std::vector<UnseenCategories> unseen;  ///< columns as in the table

  bool any() const { return imputed_cells > 0 || !unseen.empty(); }
};

struct Preparation {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> categories;  ///< per column, as in Table
  std::optional<Imputer> imputer;                    ///< none: missing cells are refused
  std::optional<Standardizer> standardizer;
  std::string id_name;  ///< the column that named the training rows; empty: none
  Views views;          ///< the sources of the columns, if these came from several tables; without rows
  std::vector<CovariateTerm> covariates = {};  ///< of columns that are in no kernel and are not standardised

  Index n_columns() const { return std::ssize(columns); }
  bool is_categorical(Index column) const { return !categories[column].empty(); }

  /// The part of it that concerns these columns, in this order.
  Preparation only(std::span<const Index> selected) const;

  /// Reads these columns by name, whatever their order in the file; other columns are passed over, a missing one is an
  /// InputError. The column `id_name` gives the identity of the rows if the file has it and `options` names no other.
  /// `options` gives everything but the columns.
  Table read(const std::string& path, TableOptions options) const;

  /// The same where the columns came from several tables: each file is read for the source of its name, and one that
  /// is no source must have the target. A source without a file is an InputError, unless it has none of these columns
  /// or `may_lack_sources`; then it lacks every row.
  Table read(const std::vector<SourceFile>& files, TableOptions options, MissingView missing, RowOrder order,
             bool may_lack_sources = false) const;

  /// `table` has exactly these columns. Categories that the training table did not have, and missing cells if there is
  /// no imputer, are an InputError.
  Samples apply(Table table) const;

  /// The same, but such categories match no training row. What was done is added to `done`.
  Samples apply(Table table, Leniency& done) const;

  /// Throws InputError at the first category that was not seen, and the first cell that would have to be imputed.
  void refuse_leniency(Table table) const;
};

/// "site=A" for each covariate of categories: what has no indicator of its own.
std::vector<std::string> reference_levels(const Preparation& preparation);

/// The columns of a table as kernels see them, before any standardisation. It must be complete.
Samples to_samples(Table table);

}  // namespace spicymkl
