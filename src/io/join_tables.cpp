#include "spicymkl/io/join_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "cell.hpp"
#include "core/wording.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

using Places = std::unordered_map<std::string_view, Index>;

/// Where each sample is in a table.
Places places_of(const Table& table) {
  if (table.ids.empty())
    throw InputError(fmt::format("{}: its rows have no identity; name the column that has it by --id", table.path));
  Places places;
  for (Index i = 0; i < table.rows(); ++i) {
    const std::string_view id = trimmed(table.ids[i]);
    if (id.empty())
      throw InputError(
          fmt::format("{}, column {}: the id is empty, and rows of several tables are matched by it; fill "
                      "it in, or remove the row",
                      table.place(i), in_quotes(table.id_name)));
    const auto [first, is_new] = places.emplace(id, i);
    if (!is_new)
      throw InputError(
          fmt::format("{}, column {}: the id {} is that of {} as well; ids must differ: remove one of the "
                      "two rows",
                      table.place(i), in_quotes(table.id_name), in_quotes(id), table.row_text(first->second)));
  }
  return places;
}

/// The tables beside each other, with every sample that counts.
class Join {
 public:
  Join(std::vector<NamedTable> tables, RowOrder order) : tables_(std::move(tables)) {
    for (const NamedTable& one : tables_) {
      if (one.table.has_several_targets()) refuse_second_table_of_targets(one);
      if (one.table.has_target()) set_owner(target_, one, "--target", one.table.target_name);
      if (!one.table.weight_name.empty()) set_owner(weights_, one, "--weights", one.table.weight_name);
      if (!one.table.group_name.empty()) set_owner(groups_, one, "--group", one.table.group_name);
      if (!one.table.event_name.empty()) set_owner(events_, one, "--event", one.table.event_name);
      places_.push_back(places_of(one.table));
    }
    list_samples();
    if (order == RowOrder::by_id) std::sort(ids_.begin(), ids_.end());
  }

  Table run(MissingView missing) {
    refuse_strangers();
    if (std::any_of(tables_.begin(), tables_.end(), [&](const auto& one) { return n_lacking(one) > 0; })) {
      if (missing == MissingView::error) refuse_lacking();
      if (missing == MissingView::drop) drop_lacking();
      else remark_lacking();
    }
    Table all = joined();
    all.views.missing = missing;
    return all;
  }

 private:
  /// Of a column that one table has, and no other.
  static void set_owner(const NamedTable*& owner, const NamedTable& one, const char* option, const std::string& name) {
    if (owner != nullptr)
      throw InputError(
          fmt::format("column {} is in {} and in {}; say which by {} {}, and leave the other out by --drop "
                      "{}",
                      in_quotes(name), owner->table.path, one.table.path, option, column_of_source(owner->name, name),
                      column_of_source(one.name, name)));
    owner = &one;
  }

  void refuse_second_table_of_targets(const NamedTable& one) const {
    if (target_ == nullptr) return;
    throw InputError(
        fmt::format("the targets are in {} ({}) and in {} ({}), but several targets must be columns of one table; put "
                    "them into one, or name a column of one source as SOURCE:COLUMN",
                    target_->table.path, target_->table.target_name, one.table.path, one.table.target_name));
  }

  const Places& places(const NamedTable& one) const { return places_[&one - tables_.data()]; }
  bool has(const NamedTable& one, std::string_view id) const { return places(one).contains(id); }
  const std::string& id_name() const { return tables_.front().table.id_name; }

  /// Those that have a target, if there is one.
  void list_samples() {
    std::unordered_map<std::string_view, bool> seen;
    Index without_target = 0;
    for (const NamedTable& one : tables_)
      for (const std::string& text : one.table.ids) {
        const std::string_view id = trimmed(text);
        if (!seen.emplace(id, true).second) continue;
        if (target_ == nullptr || has(*target_, id)) ids_.push_back(id);
        else ++without_target;
      }
    if (without_target > 0)
      remarks_.push_back(fmt::format("{} without a target {} left out: {} lacks {}", counted(without_target, "sample"),
                                     without_target == 1 ? "is" : "are", target_->table.path,
                                     without_target == 1 ? "it" : "them"));
  }

  Index n_lacking(const NamedTable& one) const {
    return std::count_if(ids_.begin(), ids_.end(), [&](std::string_view id) { return !has(one, id); });
  }

  std::string_view first_lacking(const NamedTable& one) const {
    return *std::find_if(ids_.begin(), ids_.end(), [&](std::string_view id) { return !has(one, id); });
  }

  /// A table that shares no sample with any other: its identities are of another kind.
  void refuse_strangers() const {
    for (const NamedTable& one : tables_) {
      const bool known =
          tables_.size() == 1 || std::any_of(tables_.begin(), tables_.end(), [&](const NamedTable& other) {
            return &other != &one && std::any_of(ids_.begin(), ids_.end(),
                                                 [&](std::string_view id) { return has(one, id) && has(other, id); });
          });
      if (known) continue;
      const NamedTable& other = &one == &tables_.front() ? tables_.back() : tables_.front();
      throw InputError(fmt::format(
          "{}: it has no sample in common with the other tables: its first {} is {}, that of {} is {}; give the column "
          "that names samples alike in all tables by --id",
          one.table.path, in_quotes(one.table.id_name), in_quotes(trimmed(one.table.ids.front())), other.table.path,
          in_quotes(trimmed(other.table.ids.front()))));
    }
  }

  [[noreturn]] void refuse_lacking() const {
    std::vector<std::string> parts;
    for (const NamedTable& one : tables_)
      if (const Index count = n_lacking(one); count > 0)
        parts.push_back(fmt::format("{} lacks {} (such as {} {})", one.table.path, count, id_name(),
                                    in_quotes(first_lacking(one))));
    throw InputError(
        fmt::format("of {}, {}; add the rows, or give --missing-view zero (a table says nothing of samples that it "
                    "lacks) or drop (such samples are left out)",
                    counted(std::ssize(ids_), "sample"), fmt::join(parts, ", ")));
  }

  void drop_lacking() {
    const auto before = std::ssize(ids_);
    std::vector<std::string> parts;
    for (const NamedTable& one : tables_)
      if (const Index count = n_lacking(one); count > 0)
        parts.push_back(fmt::format("{} lacks {}", one.table.path, count));
    std::erase_if(ids_, [&](std::string_view id) {
      return std::any_of(tables_.begin(), tables_.end(), [&](const auto& one) { return !has(one, id); });
    });
    if (ids_.empty())
      throw InputError(fmt::format("no sample is in all {} tables, so that none is left ({}); give --missing-view zero",
                                   tables_.size(), fmt::join(parts, ", ")));
    const auto n_dropped = before - std::ssize(ids_);
    remarks_.push_back(fmt::format("{} of {} {} left out: {}", n_dropped, counted(before, "sample"),
                                   n_dropped == 1 ? "is" : "are", fmt::join(parts, ", ")));
  }

  void remark_lacking() {
    for (const NamedTable& one : tables_)
      if (const Index count = n_lacking(one); count > 0)
        remarks_.push_back(fmt::format("{} lacks {} of {}: source {} says nothing of them", one.table.path, count,
                                       counted(std::ssize(ids_), "sample"), in_quotes(one.name)));
  }

  Table joined() {
    Table all;
    all.remarks = std::move(remarks_);
    all.id_name = id_name();
    all.ids.assign(ids_.begin(), ids_.end());
    std::vector<std::string> paths;
    Index n_columns = 0;
    for (const NamedTable& one : tables_) {
      paths.push_back(one.table.path);
      n_columns += one.table.values.cols();
    }
    all.path = fmt::format("{}", fmt::join(paths, ", "));
    all.values.resize(std::ssize(ids_), n_columns);
    all.views.present = Matrix::Ones(std::ssize(ids_), std::ssize(tables_));
    for (std::size_t s = 0; s < tables_.size(); ++s) add(s, all);
    if ((all.views.present.array() == 1).all()) all.views.present.resize(0, 0);
    return all;
  }

  void add(std::size_t s, Table& all) {
    NamedTable& one = tables_[s];
    Table& table = one.table;
    const Index first = std::ssize(all.columns);
    TableOrigin origin{table.path, !table.lines.empty(), {}};
    for (Index i = 0; i < std::ssize(ids_); ++i) {
      const auto place = places_[s].find(ids_[i]);
      const bool is_there = place != places_[s].end();
      const Index row = is_there ? place->second : 0;
      if (is_there) all.values.row(i).segment(first, table.values.cols()) = table.values.row(row);
      else all.values.row(i).segment(first, table.values.cols()).setConstant(kNothing);
      all.views.present(i, static_cast<Index>(s)) = is_there;
      origin.rows.push_back(!is_there ? 0 : table.lines.empty() ? row + 1 : table.lines[row]);
      if (&one == target_ && !table.has_several_targets()) all.target.push_back(table.target[row]);
    }
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      all.columns.push_back(column_of_source(one.name, table.columns[j]));
      all.categories.push_back(std::move(table.categories[j]));
      all.views.of_column.push_back(static_cast<Index>(s));
    }
    for (const std::string& name : table.dropped) all.dropped.push_back(column_of_source(one.name, name));
    if (!table.row_index.empty()) all.row_index = table.row_index;
    if (&one == target_) {
      all.target_name = table.target_name;
      take_targets(s, all);
      all.target_origin = static_cast<Index>(s);
    }
    if (&one == weights_) take_weights(s, all);
    if (&one == groups_) all.group_name = table.group_name, all.groups = texts_of(s, table.groups);
    if (&one == events_) all.event_name = table.event_name, all.events = texts_of(s, table.events);
    all.views.names.push_back(one.name);
    all.origins.push_back(std::move(origin));
  }

  void take_targets(std::size_t s, Table& all) const {
    const Table& table = tables_[s].table;
    all.target_names = table.target_names;
    all.targets.resize(table.has_several_targets() ? std::ssize(ids_) : 0, table.targets.cols());
    for (Index i = 0; i < all.targets.rows(); ++i) all.targets.row(i) = table.targets.row(places_[s].at(ids_[i]));
  }

  void take_weights(std::size_t s, Table& all) const {
    const Table& table = tables_[s].table;
    all.weight_name = table.weight_name;
    all.weights.resize(std::ssize(ids_));
    for (Index i = 0; i < std::ssize(ids_); ++i) {
      const auto place = places_[s].find(ids_[i]);
      all.weights(i) = place == places_[s].end() ? kNothing : table.weights(place->second);
    }
  }

  /// Cells of a column of table s, one per sample; empty where the table lacks it.
  std::vector<std::string> texts_of(std::size_t s, const std::vector<std::string>& cells) const {
    std::vector<std::string> texts;
    for (const std::string_view id : ids_) {
      const auto place = places_[s].find(id);
      texts.push_back(place == places_[s].end() ? "" : cells[place->second]);
    }
    return texts;
  }

  std::vector<NamedTable> tables_;
  std::vector<Places> places_;
  const NamedTable* target_ = nullptr;
  const NamedTable* weights_ = nullptr;
  const NamedTable* groups_ = nullptr;
  const NamedTable* events_ = nullptr;
  std::vector<std::string_view> ids_;  // of all samples, in the order of their rows
  std::vector<std::string> remarks_;
};

}  // namespace

std::string column_of_source(const std::string& source, const std::string& column) { return source + ":" + column; }

Table join_tables(std::vector<NamedTable> tables, MissingView missing, RowOrder order) {
  return Join(std::move(tables), order).run(missing);
}

}  // namespace spicymkl
