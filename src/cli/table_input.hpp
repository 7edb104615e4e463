// Options that say where a table is and how to read it.
#pragma once

#include <CLI/CLI.hpp>

#include "spicymkl/model/preparation.hpp"

namespace spicymkl::cli {

/// What the rows of a table are called.
struct RowNames {
  std::string name;              ///< of the column
  std::vector<std::string> ids;  ///< one per row; empty: they have no names
};

struct TableInput {
  std::vector<std::string> data;  ///< files; NAME=FILE gives a source its name
  std::string format;
  std::string header = "auto";
  std::vector<std::string> target;  ///< one column, or several to be learned together
  std::string time, event;          ///< of survival times, in place of the target; with --gram, files
  std::vector<std::string> drop;
  std::vector<std::string> categorical;
  std::vector<std::string> covariates;  ///< columns; with --gram one file
  std::string id;
  std::string group;
  std::string missing_view;  ///< of new rows; empty: as in training

  bool given() const { return !data.empty(); }
  bool several() const { return data.size() > 1; }
  bool survival() const { return !time.empty() || !event.empty(); }
  std::vector<SourceFile> sources() const { return parse_sources(data); }
  std::vector<std::string> paths() const;
  /// The paths, for people.
  std::string title() const;
};

/// What a command reads: one table, or several of the same samples.
CLI::Option* add_data(CLI::App& app, TableInput& input, const std::string& description);

/// --format and --header: how the file is read.
void add_format_options(CLI::App& app, TableInput& input);
/// --target, --drop, --categorical, --id: what its columns are.
void add_column_options(CLI::App& app, TableInput& input);
/// --covariates: which of them enter linearly, without a penalty.
void add_covariates_option(CLI::App& app, TableInput& input);
void add_id_option(CLI::App& app, TableInput& input);
/// --time and --event
void add_survival_options(CLI::App& app, TableInput& input);

/// One of --time and --event without the other is an InputError.
void check_survival_options(const TableInput& input);

/// --target takes the names behind it: tables among them, but for the first name, go to where they belong.
void take_tables_from_target(TableInput& input);

/// Options that take several columns take a file behind them as well: an InputError if that is why there is no table.
void refuse_swallowed_table(const TableInput& input);

/// Of a table that is learned from: several are joined by --id, and what has an effect on several alone is refused
/// where there is one.
void check_tables(const TableInput& input);

TableOptions table_options(const TableInput& input, int threads);

/// Rows to learn from. `missing` is what becomes of samples that one of several tables lacks.
Table read_rows(const TableInput& input, const TableOptions& how, MissingView missing);

/// Rows for a model: the columns of `preparation`, which came from one table or from several.
Table read_rows_for(const Preparation& preparation, const TableInput& input, const TableOptions& how,
                    MissingView missing, RowOrder order);

/// Says what became of samples that tables lack.
void say_remarks(const Table& table);

}  // namespace spicymkl::cli
