// Which columns a user means: by name, by index, by range, by glob, or a list of these.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// The columns that `text` selects, in the order of the table. Tried in this order: "all"; the exact name of a column;
/// an index ("3", "-1"); a half-open range of indices as in Python ("0:5", ":5", "5:", "-3:"); a glob ("mrna_*", "x?").
/// `where`, such as "kernel 'g'", begins the text of the InputError for what selects nothing or leaves the table.
std::vector<Index> select_columns(std::string_view text, const std::vector<std::string>& columns,
                                  std::string_view where);

/// The same for JSON: a string, a whole number, or a list of these. Each column is taken once, where it comes first.
std::vector<Index> select_columns(const nlohmann::json& selection, const std::vector<std::string>& columns,
                                  std::string_view where);

/// '*' stands for any characters, '?' for one.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace spicymkl
