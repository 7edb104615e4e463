#include "column_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/closest.hpp"
#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

std::string some_names(const std::vector<std::string>& columns) {
  constexpr std::size_t kShown = 6;
  std::string names;
  for (std::size_t j = 0; j < std::min(kShown, columns.size()); ++j) names += (j == 0 ? "" : ", ") + columns[j];
  return columns.size() > kShown ? fmt::format("{}, … ({} in all)", names, columns.size()) : names;
}

std::optional<Index> whole_number(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Negative indices count from the end. `upper` is the largest that is allowed.
Index checked_index(Index index, Index upper, Index n, std::string_view text, std::string_view where) {
  const Index resolved = index < 0 ? index + n : index;
  if (resolved < 0 || resolved > upper)
    throw InputError(fmt::format("{}: columns '{}' leaves the table, which has columns 0 to {}", where,
                                 shortened(std::string(text)), n - 1));
  return resolved;
}

std::vector<Index> span_of(Index begin, Index end) {
  std::vector<Index> indices;
  for (Index j = begin; j < end; ++j) indices.push_back(j);
  return indices;
}

/// "begin:end"; nothing when the text is no range at all.
std::optional<std::vector<Index>> select_range(std::string_view text, Index n, std::string_view where) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view left = text.substr(0, colon), right = text.substr(colon + 1);
  const auto begin = left.empty() ? std::optional<Index>(0) : whole_number(left);
  const auto end = right.empty() ? std::optional<Index>(n) : whole_number(right);
  if (!begin || !end) return std::nullopt;
  return span_of(checked_index(*begin, n, n, text, where), checked_index(*end, n, n, text, where));
}

std::vector<Index> select_glob(std::string_view pattern, const std::vector<std::string>& columns) {
  std::vector<Index> indices;
  for (Index j = 0; j < std::ssize(columns); ++j)
    if (glob_matches(pattern, columns[j])) indices.push_back(j);
  return indices;
}

std::vector<Index> non_empty(std::vector<Index> indices, std::string_view text, const std::vector<std::string>& columns,
                             std::string_view where) {
  if (indices.empty())
    throw InputError(fmt::format("{}: columns '{}' selects no column; the columns are {}", where,
                                 shortened(std::string(text)), some_names(columns)));
  return indices;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {  // let the last star take one character more
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return std::ranges::all_of(pattern.substr(p), [](char c) { return c == '*'; });
}

std::vector<Index> select_columns(std::string_view text, const std::vector<std::string>& columns,
                                  std::string_view where) {
  const auto n = std::ssize(columns);
  if (text == "all") return span_of(0, n);
  if (const auto named = std::ranges::find(columns, text); named != columns.end()) return {named - columns.begin()};
  if (const auto index = whole_number(text)) return {checked_index(*index, n - 1, n, text, where)};
  if (auto range = select_range(text, n, where)) return non_empty(std::move(*range), text, columns, where);
  if (text.find_first_of("*?") != std::string_view::npos)
    return non_empty(select_glob(text, columns), text, columns, where);
  throw InputError(fmt::format("{}: there is no column '{}'{}; the columns are {}", where, shortened(std::string(text)),
                               did_you_mean(text, columns), some_names(columns)));
}

std::vector<Index> select_columns(const nlohmann::json& selection, const std::vector<std::string>& columns,
                                  std::string_view where) {
  if (selection.is_string())
    return select_columns(std::string_view(selection.get_ref<const std::string&>()), columns, where);
  if (selection.is_number_integer()) {
    const auto n = std::ssize(columns);
    return {checked_index(selection.get<Index>(), n - 1, n, shown(selection), where)};
  }
  if (!selection.is_array())
    throw InputError(
        fmt::format("{}: columns is {}, but it must be a column name, an index, a range such as \"0:5\", a "
                    "pattern such as \"mrna_*\", \"all\", or a list of these",
                    where, shown(selection)));
  std::vector<Index> indices;
  std::vector<bool> taken(columns.size());
  for (const nlohmann::json& part : selection) {
    // Thousands of names mostly follow each other: then the next one is not searched for.
    const std::size_t next = indices.empty() ? 0 : indices.back() + 1;
    if (part.is_string() && next < columns.size() && part.get_ref<const std::string&>() == columns[next] &&
        columns[next] != "all" && !taken[next]) {
      taken[next] = true;
      indices.push_back(static_cast<Index>(next));
      continue;
    }
    for (const Index column : select_columns(part, columns, where)) {
      if (taken[column]) continue;
      taken[column] = true;
      indices.push_back(column);
    }
  }
  return non_empty(std::move(indices), shown(selection), columns, where);
}

}  // namespace spicymkl
