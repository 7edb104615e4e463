// Groups of columns: the sources of a multi-source table, or gene sets. They may overlap.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/io/views.hpp"

namespace spicymkl {

struct ColumnGroup {
  std::string name;
  std::vector<Index> columns;
};

/// What became of the members that the groups name; the caller reports it.
struct GroupSummary {
  Index n_members = 0;                       ///< named in the file, over all groups
  Index n_absent = 0;                        ///< of these, not in the table
  std::vector<std::string> absent_examples;  ///< a few of them
  std::vector<std::string> dropped_groups;   ///< groups none of whose members is in the table
};

struct Groups {
  std::vector<ColumnGroup> groups;
  GroupSummary summary;
};

/// An object: source name → selection of columns, as column_selection.hpp has it. In the order of their names.
Groups groups_from_json(const nlohmann::json& json, const std::vector<std::string>& columns);

/// GMT: one group a line, tab-separated: name, description, members, which are column names. Gene sets name genes that
/// a table may lack: those are counted, not refused. `source` names the file in messages.
Groups read_gmt(std::istream& text, std::string_view source, const std::vector<std::string>& columns);

/// A file of either kind, by its extension: .json or .gmt; or the JSON object itself, which begins with a brace.
Groups read_groups(const std::filesystem::path& path, const std::vector<std::string>& columns);

/// The same of several tables: a gene set is a group of each table that has some of its genes, which need not be named
/// after their source.
Groups read_groups(const std::filesystem::path& path, const std::vector<std::string>& columns, const Views& views);

/// One of each table that columns came from.
std::vector<ColumnGroup> groups_of_sources(const Views& views);

/// What can be known to be wrong with such a file before there are columns is an InputError.
void check_groups_file(const std::filesystem::path& path);

}  // namespace spicymkl
