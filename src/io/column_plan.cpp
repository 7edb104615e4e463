#include "column_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "cell.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

std::optional<Index> parse_position(const std::string& text, Index n) {
  Index position = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (position < 0) position += n;
  if (position < 0 || position >= n) return std::nullopt;
  return position;
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string list;
  for (std::size_t j = 0; j < std::min(most, names.size()); ++j) list += (j ? ", " : "") + in_quotes(names[j]);
  return names.size() > most ? list + ", …" : list;
}

class Planner {
 public:
  Planner(const std::string& path, std::vector<std::string> names) : path_(path) {
    plan_.names = std::move(names);
    plan_.role.assign(plan_.names.size(), ColumnRole::number);
    plan_.slot.assign(plan_.names.size(), -1);
    for (std::size_t j = 0; j < plan_.names.size(); ++j) position_.emplace(plan_.names[j], j);
  }

  std::size_t find(const std::string& reference) const {
    if (const auto found = position_.find(reference); found != position_.end()) return found->second;
    const auto n = static_cast<Index>(plan_.names.size());
    if (const auto position = parse_position(reference, n)) return static_cast<std::size_t>(*position);
    throw InputError(fmt::format(
        "{}: there is no column {}; the {} are {}, or give a position from 0 to {} or from -1 back", path_,
        in_quotes(reference), n == 1 ? "1 column" : fmt::format("{} columns", n), list_of(plan_.names), n - 1));
  }

  void set_target(const std::string& reference) { plan_.role[find(reference)] = ColumnRole::target; }

  void drop(const std::string& reference) {
    const std::size_t j = find(reference);
    refuse_target(j, "dropped");
    plan_.role[j] = ColumnRole::skip;
  }

  /// A target is text anyway, and a dropped column stays dropped.
  void set_category(const std::string& reference) {
    const std::size_t j = find(reference);
    if (plan_.role[j] == ColumnRole::number) plan_.role[j] = ColumnRole::category;
  }

  void number_slots(const std::vector<std::string>& keep) {
    if (keep.empty()) {
      for (std::size_t j = 0; j < plan_.role.size(); ++j) take(j);
    } else {
      for (const std::string& reference : keep) {
        const std::size_t j = find(reference);
        refuse_target(j, "a column to learn from");
        take(j);
      }
      for (std::size_t j = 0; j < plan_.role.size(); ++j)
        if (plan_.role[j] != ColumnRole::target && plan_.slot[j] < 0) plan_.role[j] = ColumnRole::skip;
    }
    if (plan_.n_slots == 0)
      throw InputError(fmt::format("{}: no column is left to learn from; drop fewer columns", path_));
  }

  ColumnPlan done() { return std::move(plan_); }

 private:
  void refuse_target(std::size_t j, std::string_view other) const {
    if (plan_.role[j] == ColumnRole::target)
      throw InputError(fmt::format("{}: column {} cannot be both the target and {}; give it one role", path_,
                                   in_quotes(plan_.names[j]), other));
  }

  void take(std::size_t j) {
    if (plan_.role[j] == ColumnRole::skip || plan_.role[j] == ColumnRole::target || plan_.slot[j] >= 0) return;
    plan_.slot[j] = plan_.n_slots++;
  }

  const std::string& path_;
  ColumnPlan plan_;
  std::unordered_map<std::string, std::size_t> position_;
};

}  // namespace

ColumnPlan plan_columns(const std::string& path, std::vector<std::string> names, const TableOptions& options) {
  Planner planner(path, std::move(names));
  if (!options.target.empty()) planner.set_target(options.target);
  for (const std::string& reference : options.drop) planner.drop(reference);
  for (const std::string& reference : options.categorical) planner.set_category(reference);
  planner.number_slots(options.keep);
  return planner.done();
}

Table prepare_table(const std::string& path, const ColumnPlan& plan, Index rows) {
  Table table;
  table.path = path;
  table.columns.resize(static_cast<std::size_t>(plan.n_slots));
  table.categories.resize(static_cast<std::size_t>(plan.n_slots));
  table.values.resize(rows, plan.n_slots);
  for (std::size_t j = 0; j < plan.role.size(); ++j) {
    if (plan.slot[j] >= 0) table.columns[static_cast<std::size_t>(plan.slot[j])] = plan.names[j];
    if (plan.role[j] != ColumnRole::target) continue;
    table.target_name = plan.names[j];
    table.target.resize(static_cast<std::size_t>(rows));
  }
  return table;
}

}  // namespace spicymkl
