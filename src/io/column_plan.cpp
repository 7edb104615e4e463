#include "column_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "cell.hpp"
#include "core/closest.hpp"
#include "core/wording.hpp"
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

std::string_view name_of(ColumnRole role) {
  switch (role) {
    case ColumnRole::target:
      return "the target";
    case ColumnRole::several_targets:
      return "a target";
    case ColumnRole::id:
      return "the identity of the rows";
    case ColumnRole::group:
      return "the groups of the rows";
    case ColumnRole::event:
      return "the events";
    case ColumnRole::weight:
      return "the weights";
    default:
      return "a column to learn from";
  }
}

class Planner {
 public:
  Planner(const std::string& path, std::vector<std::string> names, std::vector<TableProblem>& problems)
      : path_(path), problems_(problems) {
    plan_.names = std::move(names);
    plan_.role.assign(plan_.names.size(), ColumnRole::number);
    plan_.slot.assign(plan_.names.size(), -1);
    for (std::size_t j = 0; j < plan_.names.size(); ++j) position_.emplace(plan_.names[j], j);
  }

  bool has(const std::string& name) const { return position_.contains(name); }

  std::optional<Index> find(const std::string& reference) const {
    if (const auto found = position_.find(reference); found != position_.end()) return found->second;
    return parse_position(reference, plan_.n_columns());
  }

  /// A column that is none of the features.
  void set_role(const std::string& reference, ColumnRole role, const char* option) {
    const auto j = find_or_report(reference, option);
    if (j && is_free(*j, name_of(role), option, reference)) plan_.role[*j] = role;
  }

  /// One of several targets, the next in their order.
  void add_target(const std::string& reference) {
    const auto j = find_or_report(reference, "--target");
    if (!j) return;
    plan_.target_slot.resize(plan_.names.size(), -1);
    if (plan_.target_slot[*j] >= 0) {
      problems_.push_back(
          {fmt::format("{}: --target names column {} twice; name each target once", path_, in_quotes(plan_.names[*j])),
           "--target", reference, true});
      return;
    }
    plan_.role[*j] = ColumnRole::several_targets;
    plan_.target_slot[*j] = plan_.n_targets++;
  }

  void drop(const std::string& reference) {
    const auto j = find_or_report(reference, "--drop");
    if (j && is_free(*j, "dropped", "--drop", reference)) plan_.role[*j] = ColumnRole::skip;
  }

  /// A target is text anyway, and a dropped column stays dropped.
  void set_category(const std::string& reference) {
    const auto j = find_or_report(reference, "--categorical");
    if (j && plan_.role[*j] == ColumnRole::number) plan_.role[*j] = ColumnRole::category;
  }

  void number_slots(const TableOptions& options) {
    const std::vector<std::string>& keep = options.keep;
    if (keep.empty() && !options.no_columns) {
      for (std::size_t j = 0; j < plan_.role.size(); ++j) take(j);
    } else {
      report_absent(keep);
      for (const std::string& reference : keep)
        if (const auto j = find(reference); j && is_free(*j, name_of(ColumnRole::number), "", reference)) take(*j);
      for (std::size_t j = 0; j < plan_.role.size(); ++j)
        if (is_feature(plan_.role[j]) && plan_.slot[j] < 0) plan_.role[j] = ColumnRole::skip;
    }
    if (plan_.n_slots == 0 && problems_.empty() && !options.part_of_several)
      problems_.push_back({fmt::format("{}: no column is left to learn from; drop fewer columns", path_)});
  }

  ColumnPlan done() { return std::move(plan_); }

 private:
  /// Columns that a model needs, in one sentence: most often the table is another one.
  void report_absent(const std::vector<std::string>& needed) {
    std::vector<std::string> absent;
    for (const std::string& name : needed)
      if (!find(name)) absent.push_back(name);
    if (absent.empty()) return;
    const std::string meant = absent.size() == 1 ? did_you_mean(absent.front(), plan_.names) : "";
    const std::string missing =
        absent.size() == 1
            ? fmt::format("there is no column {}{}, which the model was trained on", in_quotes(absent.front()), meant)
            : fmt::format("{} columns that the model was trained on are missing: {}", absent.size(), list_of(absent));
    problems_.push_back(
        {fmt::format("{}: {}; the columns are {}", path_, missing, list_of(plan_.names)), "", absent.front(), true});
  }

  std::optional<Index> find_or_report(const std::string& reference, const char* option) {
    const auto j = find(reference);
    const Index n = plan_.n_columns();
    if (j) return j;
    const std::string meant = closest(reference, plan_.names);
    problems_.push_back(
        {fmt::format("{}: there is no column {}{}; the {} {}, or give a position from 0 to {} or from -1 back", path_,
                     in_quotes(reference), meant.empty() ? "" : fmt::format(" (did you mean {}?)", in_quotes(meant)),
                     n == 1 ? "only column is" : fmt::format("{} columns are", n), list_of(plan_.names), n - 1),
         option, reference, true});
    return std::nullopt;
  }

  /// Columns have one role each; a column may be named twice for the same one.
  bool is_free(std::size_t j, std::string_view other, const char* option, const std::string& reference) {
    const ColumnRole role = plan_.role[j];
    if (is_feature(role) || role == ColumnRole::skip || other == name_of(role)) return true;
    problems_.push_back({fmt::format("{}: column {} cannot be both {} and {}; give it one role", path_,
                                     in_quotes(plan_.names[j]), name_of(role), other),
                         option, reference, true});
    return false;
  }

  void take(std::size_t j) {
    if (!is_feature(plan_.role[j]) || plan_.slot[j] >= 0) return;
    plan_.slot[j] = plan_.n_slots++;
  }

  const std::string& path_;
  std::vector<TableProblem>& problems_;
  ColumnPlan plan_;
  std::unordered_map<std::string, Index> position_;
};

}  // namespace

void refuse_text_target(const std::string& place, std::string_view text) {
  throw InputError(
      fmt::format("{}: {} is not a number, but several targets are; correct it, or leave the column out of --target: "
                  "classes are learned one target at a time",
                  place, in_quotes(text)));
}

void refuse_too_many_columns(const std::string& place, Index n) {
  constexpr Index kMostColumns = 5'000'000;
  if (n > kMostColumns)
    throw InputError(
        fmt::format("{}: has {} columns, and a table may have {}; is it the right file?", place, n, kMostColumns));
}

ColumnPlan plan_columns(const std::string& path, std::vector<std::string> names, const TableOptions& options,
                        std::vector<TableProblem>& problems) {
  Planner planner(path, std::move(names), problems);
  const auto is_elsewhere = [&](const std::string& name) { return options.part_of_several && !planner.has(name); };
  if (!options.target.empty() && !is_elsewhere(options.target))
    planner.set_role(options.target, ColumnRole::target, options.event.empty() ? "--target" : "--time");
  if (!options.event.empty() && !is_elsewhere(options.event))
    planner.set_role(options.event, ColumnRole::event, "--event");
  for (const std::string& reference : options.targets)
    if (!is_elsewhere(reference)) planner.add_target(reference);
  if (!options.id.empty() && (!options.id_is_optional || planner.has(options.id)))
    planner.set_role(options.id, ColumnRole::id, "--id");
  if (!options.weights.empty() && planner.find(options.weights) && !is_elsewhere(options.weights))
    planner.set_role(options.weights, ColumnRole::weight, "--weights");
  if (!options.group.empty() && !is_elsewhere(options.group))
    planner.set_role(options.group, ColumnRole::group, "--group");
  for (const std::string& reference : options.drop)
    if (!is_elsewhere(reference)) planner.drop(reference);
  for (const std::string& reference : options.categorical)
    if (!is_elsewhere(reference)) planner.set_category(reference);
  planner.number_slots(options);
  return planner.done();
}

ColumnPlan plan_columns(const std::string& path, std::vector<std::string> names, const TableOptions& options) {
  std::vector<TableProblem> problems;
  ColumnPlan plan = plan_columns(path, std::move(names), options, problems);
  if (!problems.empty()) throw TableProblems(path, std::move(problems));
  return plan;
}

Table prepare_table(const std::string& path, const ColumnPlan& plan, Index rows) {
  Table table;
  table.path = path;
  table.columns.resize(plan.n_slots);
  table.categories.resize(plan.n_slots);
  table.values.resize(rows, plan.n_slots);
  table.targets.resize(plan.n_targets > 0 ? rows : 0, plan.n_targets);
  table.target_names.resize(plan.n_targets);
  for (std::size_t j = 0; j < plan.role.size(); ++j) {
    const ColumnRole role = plan.role[j];
    if (plan.slot[j] >= 0) table.columns[plan.slot[j]] = plan.names[j];
    if (role == ColumnRole::target) {
      table.target_name = plan.names[j];
      table.target.resize(rows);
    } else if (role == ColumnRole::several_targets) {
      table.target_names[plan.target_slot[j]] = plan.names[j];
    } else if (role == ColumnRole::id) {
      table.id_name = plan.names[j];
      table.ids.resize(rows);
    } else if (role == ColumnRole::weight) {
      table.weight_name = plan.names[j];
      table.weights.resize(rows);
    } else if (role == ColumnRole::group) {
      table.group_name = plan.names[j];
      table.groups.resize(rows);
    } else if (role == ColumnRole::event) {
      table.event_name = plan.names[j];
      table.events.resize(rows);
    } else if (role == ColumnRole::skip) {
      table.dropped.push_back(plan.names[j]);
    }
  }
  if (table.has_several_targets()) table.target_name = listed(table.target_names);
  return table;
}

}  // namespace spicymkl
