#include "survival_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "core/wording.hpp"
#include "io/cell.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/loss/loss.hpp"
#include "spicymkl/pipeline/target.hpp"

namespace spicymkl {

namespace {

/// Rows of a column that are wrong: the first of them, and how many there are.
class BadRows {
 public:
  void add(Index row) {
    if (count_++ == 0) first_ = row;
  }
  bool any() const { return count_ > 0; }
  Index first() const { return first_; }
  /// "(3 rows in all)", if the first is not the only one.
  std::string others() const { return count_ > 1 ? fmt::format(" ({} in all)", counted(count_, "row")) : ""; }

 private:
  Index first_ = 0, count_ = 0;
};

void refuse_missing(const Table& table, const std::vector<std::string>& cells, const char* what, bool of_events) {
  BadRows missing;
  for (Index i = 0; i < std::ssize(cells); ++i)
    if (cells[i].empty()) missing.add(i);
  if (!missing.any()) return;
  const Index row = missing.first();
  throw InputError(fmt::format("{}: the {} is missing{}; fill it in or remove the row",
                               of_events ? table.event_place(row) : table.target_place(row), what, missing.others()));
}

Vector survival_times(const Table& table) {
  refuse_missing(table, table.target, "time", false);
  Vector times(table.rows());
  BadRows bad;
  for (Index i = 0; i < times.size(); ++i) {
    const std::optional<double> time = parse_number(trimmed(table.target[i]));
    times(i) = time.value_or(-1);
    if (!time || !std::isfinite(*time) || *time < 0) bad.add(i);
  }
  if (bad.any())
    throw InputError(
        fmt::format("{}: the time is {}, but survival times are numbers, 0 or more{}; correct it or remove the row",
                    table.target_place(bad.first()), in_quotes(table.target[bad.first()]), bad.others()));
  return times;
}

/// 0, 1 or 2; none for anything else.
std::optional<int> event_number(std::string_view cell) {
  std::string text(trimmed(cell));
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (text == "true") return 1;
  if (text == "false") return 0;
  const std::optional<double> number = parse_number(text);
  if (number && (*number == 0 || *number == 1 || *number == 2)) return static_cast<int>(*number);
  return std::nullopt;
}

constexpr const char* kCodes = "0 (lost before the event) and 1 (event), or 1 and 2, or false and true";

/// The number that stands for an event: 2 where there is one, else 1.
int code_of(const Table& table, const std::vector<int>& numbers) {
  const std::set<int> different(numbers.begin(), numbers.end());
  if (different.size() > 2)
    throw InputError(fmt::format("{}, column {}: has three codes, 0, 1 and 2, but events have two: {}", table.path,
                                 in_quotes(table.event_name), kCodes));
  if (different.contains(0) && different.contains(2))
    throw InputError(fmt::format("{}, column {}: is 2 an event beside 0? the codes are {}", table.path,
                                 in_quotes(table.event_name), kCodes));
  return different.contains(2) ? 2 : 1;
}

std::vector<int> event_numbers(const Table& table) {
  refuse_missing(table, table.events, "event", true);
  std::vector<int> numbers;
  BadRows bad;
  for (Index i = 0; i < std::ssize(table.events); ++i) {
    const std::optional<int> number = event_number(table.events[i]);
    if (!number) bad.add(i);
    numbers.push_back(number.value_or(0));
  }
  if (bad.any())
    throw InputError(fmt::format("{}: the event is {}{}, but its codes are {}; correct it or remove the row",
                                 table.event_place(bad.first()), in_quotes(table.events[bad.first()]), bad.others(),
                                 kCodes));
  return numbers;
}

/// Codes that are not those of the model.
void refuse_foreign(const Table& table, const std::vector<int>& numbers, int event_code) {
  BadRows bad;
  for (Index i = 0; i < std::ssize(numbers); ++i)
    if (numbers[i] != event_code && numbers[i] != event_code - 1) bad.add(i);
  if (bad.any())
    throw InputError(
        fmt::format("{}: the event is {}{}, but in training the codes were {} and {}; correct it or remove the row",
                    table.event_place(bad.first()), in_quotes(table.events[bad.first()]), bad.others(), event_code - 1,
                    event_code));
}

}  // namespace

Vector signed_ranks(const Vector& times, const Vector& events) {
  std::vector<double> sorted(times.begin(), times.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  Vector ranks(times.size());
  for (Index i = 0; i < times.size(); ++i) {
    const auto rank = static_cast<double>(std::ranges::lower_bound(sorted, times(i)) - sorted.begin() + 1);
    ranks(i) = events(i) > 0 ? rank : -rank;
  }
  return ranks;
}

Target make_survival_target(const Table& table, int event_code) {
  if (!table.has_target() || table.event_name.empty())
    throw InputError(
        fmt::format("{}: the {} loss learns from times and events; name their columns by --time and --event",
                    table.path, default_loss(LabelKind::survival).name));
  Target target;
  target.loss = default_loss(LabelKind::survival).name;
  target.numbers = survival_times(table);
  target.event_name = table.event_name;
  const std::vector<int> numbers = event_numbers(table);
  target.event_code = event_code > 0 ? event_code : code_of(table, numbers);
  refuse_foreign(table, numbers, target.event_code);
  target.events.resize(target.numbers.size());
  for (Index i = 0; i < target.events.size(); ++i) target.events(i) = numbers[i] == target.event_code ? 1 : 0;
  const bool to_learn_from = event_code == 0;
  if (to_learn_from && target.events.sum() == 0)
    throw InputError(
        fmt::format("{}, column {}: none of the {} rows has an event, code {}; there is nothing to learn from",
                    table.path, in_quotes(table.event_name), table.rows(), target.event_code));
  return target;
}

}  // namespace spicymkl
