#include "spicymkl/kernel/groups.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unordered_map>

#include "column_selection.hpp"
#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr std::size_t kExamples = 5;

using ColumnIndex = std::unordered_map<std::string_view, Index>;

std::vector<std::string> split_tabs(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

/// One line of a GMT file. Its absent members go to the summary.
ColumnGroup parse_gmt_group(const std::vector<std::string>& fields, const ColumnIndex& index, GroupSummary& summary) {
  ColumnGroup group{fields[0], {}};
  std::set<std::string_view> seen;
  for (std::size_t k = 2; k < fields.size(); ++k) {
    if (fields[k].empty() || !seen.insert(fields[k]).second) continue;
    ++summary.n_members;
    if (const auto found = index.find(fields[k]); found != index.end()) {
      group.columns.push_back(found->second);
    } else {
      ++summary.n_absent;
      if (summary.absent_examples.size() < kExamples) summary.absent_examples.push_back(fields[k]);
    }
  }
  return group;
}

}  // namespace

Groups groups_from_json(const nlohmann::json& json, const std::vector<std::string>& columns) {
  if (!json.is_object() || json.empty())
    throw InputError(
        "groups: they must be a JSON object that gives each source its columns, such as "
        "{\"mrna\": \"mrna_*\", \"protein\": [\"p1\", \"p2\"]}");
  Groups result;
  for (const auto& [name, selection] : json.items()) {
    result.groups.push_back({name, select_columns(selection, columns, fmt::format("group '{}'", shortened(name)))});
    result.summary.n_members += std::ssize(result.groups.back().columns);
  }
  return result;
}

Groups read_gmt(std::istream& text, std::string_view source, const std::vector<std::string>& columns) {
  ColumnIndex index;
  for (Index j = 0; j < std::ssize(columns); ++j) index.emplace(columns[j], j);
  Groups result;
  std::set<std::string> names;
  std::string line;
  for (Index number = 1; std::getline(text, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    const std::vector<std::string> fields = split_tabs(line);
    if (fields.size() < 3)
      throw InputError(
          fmt::format("{}, line {}: a GMT line is a name, a description and members, separated by tabs, but "
                      "this one has {} field{}",
                      source, number, fields.size(), fields.size() == 1 ? "" : "s"));
    if (!names.insert(fields[0]).second)
      throw InputError(fmt::format("{}, line {}: group '{}' occurs twice; rename one", source, number, fields[0]));
    ColumnGroup group = parse_gmt_group(fields, index, result.summary);
    if (group.columns.empty()) result.summary.dropped_groups.push_back(group.name);
    else result.groups.push_back(std::move(group));
  }
  if (result.groups.empty())
    throw InputError(
        fmt::format("{}: none of the {} members of its {} groups is a column of the table; members must be "
                    "column names",
                    source, result.summary.n_members, names.size()));
  return result;
}

void check_groups_file(const std::filesystem::path& path) {
  if (path.string().starts_with('{')) return;  // the groups themselves
  if (::access(path.c_str(), R_OK) != 0)
    throw InputError(fmt::format("groups file '{}' cannot be read; check the path", path.string()));
  if (path.extension() != ".gmt" && path.extension() != ".json")
    throw InputError(fmt::format("groups file '{}' must end in .json or .gmt", path.string()));
}

std::vector<ColumnGroup> groups_of_sources(const Views& views) {
  std::vector<ColumnGroup> groups;
  for (std::size_t s = 0; s < views.names.size(); ++s) {
    ColumnGroup group{views.names[s], {}};
    for (std::size_t j = 0; j < views.of_column.size(); ++j)
      if (views.of_column[j] == static_cast<Index>(s)) group.columns.push_back(static_cast<Index>(j));
    if (!group.columns.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

Groups read_groups(const std::filesystem::path& path, const std::vector<std::string>& columns, const Views& views) {
  if (!views.several() || path.extension() != ".gmt") return read_groups(path, columns);
  std::vector<std::string> genes;
  std::map<std::string, std::vector<Index>> columns_of;
  for (Index j = 0; j < std::ssize(columns); ++j) {
    std::string gene = columns[j].substr(views.names[views.of_column[j]].size() + 1);
    std::vector<Index>& places = columns_of[gene];
    places.push_back(j);
    if (places.size() == 1) genes.push_back(std::move(gene));
  }
  Groups whole = read_groups(path, genes);
  Groups split{{}, std::move(whole.summary)};
  for (const ColumnGroup& set : whole.groups)
    for (std::size_t s = 0; s < views.names.size(); ++s) {
      ColumnGroup part{fmt::format("{} in {}", set.name, views.names[s]), {}};
      for (const Index gene : set.columns)
        for (const Index column : columns_of[genes[gene]])
          if (views.of_column[column] == static_cast<Index>(s)) part.columns.push_back(column);
      if (!part.columns.empty()) split.groups.push_back(std::move(part));
    }
  return split;
}

Groups read_groups(const std::filesystem::path& path, const std::vector<std::string>& columns) {
  if (const std::string text = path.string(); text.starts_with('{'))
    return groups_from_json(parse_json(text, "the object of groups"), columns);
  check_groups_file(path);
  std::ifstream file(path);
  if (path.extension() == ".gmt") return read_gmt(file, path.string(), columns);
  return groups_from_json(parse_json(file, fmt::format("groups file '{}'", path.string())), columns);
}

}  // namespace spicymkl
