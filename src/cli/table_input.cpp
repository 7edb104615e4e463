#include "table_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "io/cell.hpp"
#include "option_registry.hpp"
#include "say.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

std::vector<std::string> TableInput::paths() const {
  std::vector<std::string> paths;
  for (const SourceFile& file : sources()) paths.push_back(file.path);
  return paths;
}

std::string TableInput::title() const { return fmt::format("{}", fmt::join(paths(), ", ")); }

CLI::Option* add_data(CLI::App& app, TableInput& input, const std::string& description) {
  return app.add_option("DATA", input.data, description);
}

void add_format_options(CLI::App& app, TableInput& input) {
  app.add_option("--format", input.format, "csv, tsv, libsvm, npy or npz (default: by extension)")->group(kRareGroup);
  app.add_option("--header", input.header, "first line holds names: yes, no or auto")
      ->type_name("TEXT")
      ->capture_default_str()
      ->check(CLI::Validator(CLI::IsMember({"yes", "no", "auto"})).description(""))
      ->group(kRareGroup);
}

void add_column_options(CLI::App& app, TableInput& input) {
  app.add_option("--target", input.target, "column to learn: name, or position (0 first, -1 last); or several");
  add_survival_options(app, input);
  app.add_option("--drop", input.drop, "columns to leave out: a b, or a,b (behind DATA)")
      ->delimiter(',')
      ->group(kRareGroup);
  app.add_option("--categorical", input.categorical, "columns of strings: a b, or a,b (behind DATA)")
      ->delimiter(',')
      ->group(kRareGroup);
  add_id_option(app, input);
}

void add_survival_options(CLI::App& app, TableInput& input) {
  app.add_option("--time", input.time, "survival times, in place of --target: a column (--gram: a .npy file)")
      ->group(kRareGroup);
  app.add_option("--event", input.event, "with --time: whether they ended with the event, 1, or the row was lost, 0")
      ->group(kRareGroup);
}

void check_survival_options(const TableInput& input) {
  if (input.time.empty() && !input.event.empty())
    throw InputError("--event needs --time: how long each sample was followed, until the event or until it was lost");
  if (input.event.empty() && !input.time.empty())
    throw InputError("--time needs --event: whether each time ended with the event, 1, or the sample was lost then, 0");
}

void add_covariates_option(CLI::App& app, TableInput& input) {
  app.add_option("--covariates", input.covariates,
                 "columns that enter linearly, without a penalty, and are in no kernel: a b, or\na,b (behind DATA; "
                 "with --gram a .npy file, N x c)")
      ->delimiter(',')
      ->group(kRareGroup);
}

void add_id_option(CLI::App& app, TableInput& input) {
  app.add_option("--id", input.id, "column that names the rows: not learned from, kept in what is written")
      ->group(kRareGroup);
}

namespace {

/// A table by the ending of its name: rna.csv, or rna=rna.csv.
bool is_table(const std::string& text) {
  try {
    table_format_of(parse_sources({text}).front().path);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

void take_tables_from_target(TableInput& input) {
  if (input.target.size() < 2) return;
  const auto tables = std::find_if(input.target.begin() + 1, input.target.end(), is_table);
  input.data.insert(input.data.end(), tables, input.target.end());
  input.target.erase(tables, input.target.end());
}

void refuse_swallowed_table(const TableInput& input) {
  if (input.given()) return;
  for (const auto& [option, columns] :
       {std::pair{"--drop", &input.drop}, std::pair{"--categorical", &input.categorical},
        std::pair{"--covariates", &input.covariates}})
    for (const std::string& name : *columns)
      if (std::filesystem::is_regular_file(name))
        throw InputError(
            fmt::format("{} took the file '{}' for a column; give the table first: DATA {} …", option, name, option));
}

void check_tables(const TableInput& input) {
  const std::vector<SourceFile> files = input.sources();
  if (files.size() == 1 && files.front().path != input.data.front())
    throw InputError(fmt::format("{}: one table has no sources to tell apart; give '{}', or several tables",
                                 in_quotes(input.data.front()), files.front().path));
  if (files.size() > 1 && input.id.empty())
    throw InputError(
        fmt::format("{} are {} tables, whose rows are matched by a column that they share: name it by --id",
                    input.title(), files.size()));
}

TableOptions table_options(const TableInput& input, int threads) {
  TableOptions options;
  if (!input.format.empty()) options.format = parse_table_format(input.format);
  if (input.header != "auto") options.header = input.header == "yes" ? Header::yes : Header::no;
  if (!input.time.empty()) options.target = input.time;
  else if (input.target.size() == 1) options.target = input.target.front();
  else options.targets = input.target;
  options.event = input.event;
  options.drop = input.drop;
  options.categorical = input.categorical;
  options.id = input.id;
  if (input.group != input.id) options.group = input.group;  // the identity may be the group as well
  options.threads = threads;
  return options;
}

Table read_rows(const TableInput& input, const TableOptions& how, MissingView missing) {
  if (!input.several()) return read_table(input.paths().front(), how);
  return read_tables(input.sources(), how, missing);
}

Table read_rows_for(const Preparation& preparation, const TableInput& input, const TableOptions& how,
                    MissingView missing, RowOrder order) {
  if (preparation.views.several())
    return preparation.read(input.sources(), how, missing, order, input.missing_view == name_of(MissingView::zero));
  if (input.several())
    throw InputError(fmt::format("{} are {} tables, but the model was trained on one; give one with all its columns",
                                 input.title(), input.data.size()));
  return preparation.read(input.paths().front(), how);
}

void say_remarks(const Table& table) {
  for (const std::string& remark : table.remarks) say("{}", remark);
}

}  // namespace spicymkl::cli
