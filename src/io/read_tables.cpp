// Several files as one table to learn from.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cell.hpp"
#include "core/closest.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/io/join_tables.hpp"

namespace spicymkl {

namespace {

/// "rna" of "data/rna.csv.gz".
std::string name_of_file(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

SourceFile parse_source(const std::string& text) {
  const std::size_t sign = text.find('=');
  const bool named = sign != std::string::npos && text.find('/') > sign && !std::filesystem::exists(text);
  if (!named) return {name_of_file(text), text};
  if (sign == 0 || sign + 1 == text.size())
    throw InputError(fmt::format("{}: a table is NAME=FILE, such as rna=rna.csv", in_quotes(text)));
  return {text.substr(0, sign), text.substr(sign + 1)};
}

/// What a name means in one table: "" where it is a column of another source.
std::string name_in(const std::string& name, const std::string& source, const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files)
    if (name.starts_with(file.name + ":")) return file.name == source ? name.substr(source.size() + 1) : "";
  return name;
}

std::vector<std::string> names_in(const std::vector<std::string>& names, const std::string& source,
                                  const std::vector<SourceFile>& files) {
  std::vector<std::string> own;
  for (const std::string& name : names)
    if (std::string here = name_in(name, source, files); !here.empty()) own.push_back(std::move(here));
  return own;
}

/// The names that some table has under one of its roles.
std::set<std::string> all_names(const std::vector<NamedTable>& tables) {
  std::set<std::string> names;
  for (const NamedTable& source : tables) {
    const Table& table = source.table;
    const auto add = [&](const std::string& name) {
      names.insert(name);
      names.insert(column_of_source(source.name, name));
    };
    for (const std::string& name : table.columns) add(name);
    for (const std::string& name : table.dropped) add(name);
    for (const std::string& name : table.target_names) add(name);
    for (const std::string& name :
         {table.target_name, table.event_name, table.weight_name, table.group_name, table.id_name})
      add(name);
  }
  return names;
}

void refuse_unknown(const std::vector<NamedTable>& tables, const std::string& option,
                    const std::vector<std::string>& names) {
  const std::set<std::string> known = all_names(tables);
  for (const std::string& name : names)
    if (!known.contains(name))
      throw InputError(fmt::format("{} {}: no table has such a column{}; name it as in the first line of its file",
                                   option, in_quotes(name), did_you_mean(name, {known.begin(), known.end()})));
}

void refuse_unknown(const std::vector<NamedTable>& tables, const TableOptions& options) {
  if (!options.target.empty()) refuse_unknown(tables, options.event.empty() ? "--target" : "--time", {options.target});
  if (!options.event.empty()) refuse_unknown(tables, "--event", {options.event});
  refuse_unknown(tables, "--target", options.targets);
  if (!options.weights.empty()) refuse_unknown(tables, "--weights", {options.weights});
  if (!options.group.empty()) refuse_unknown(tables, "--group", {options.group});
  refuse_unknown(tables, "--drop", options.drop);
  refuse_unknown(tables, "--categorical", options.categorical);
}

std::vector<NamedTable> read_each(const std::vector<SourceFile>& files, const TableOptions& options) {
  std::vector<NamedTable> tables;
  for (const auto& [name, path] : files)
    tables.push_back({name, read_table(path, options_of_source(options, name, files))});
  return tables;
}

void refuse_idle(const std::vector<NamedTable>& tables) {
  for (const auto& [name, table] : tables)
    if (table.columns.empty() && !table.has_target() && table.event_name.empty() && table.weight_name.empty() &&
        table.group_name.empty())
      throw InputError(
          fmt::format("{}: no column is left beside {}; leave the table out", table.path, in_quotes(table.id_name)));
}

}  // namespace

std::vector<SourceFile> parse_sources(const std::vector<std::string>& texts) {
  std::vector<SourceFile> files;
  for (const std::string& text : texts) {
    files.push_back(parse_source(text));
    const std::string& name = files.back().name;
    const auto twice = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.name == name; });
    if (&*twice != &files.back())
      throw InputError(fmt::format("{} and {} are both called {}; give each a name of its own, such as {}_2={}",
                                   twice->path, files.back().path, in_quotes(name), name, files.back().path));
  }
  return files;
}

TableOptions options_of_source(const TableOptions& options, const std::string& source,
                               const std::vector<SourceFile>& files) {
  TableOptions own = options;
  own.part_of_several = true;
  own.target = name_in(options.target, source, files);
  own.targets = names_in(options.targets, source, files);
  own.weights = name_in(options.weights, source, files);
  own.group = name_in(options.group, source, files);
  own.event = name_in(options.event, source, files);
  own.drop = names_in(options.drop, source, files);
  own.categorical = names_in(options.categorical, source, files);
  return own;
}

Table read_tables(const std::vector<SourceFile>& files, const TableOptions& options, MissingView missing) {
  std::vector<NamedTable> tables;
  try {
    tables = read_each(files, options);
  } catch (const InputError&) {
    // A column that no option names rightly is one to learn from, and may not suit: that is not what is wrong.
    TableOptions names = options;
    names.no_columns = true;
    const bool can_be_read_again =
        std::ranges::all_of(files, [](const auto& file) { return std::filesystem::is_regular_file(file.path); });
    if (can_be_read_again) refuse_unknown(read_each(files, names), options);
    throw;
  }
  refuse_unknown(tables, options);
  refuse_idle(tables);
  return join_tables(std::move(tables), missing, RowOrder::by_id);
}

}  // namespace spicymkl
