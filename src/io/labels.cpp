#include "labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "category_coder.hpp"
#include "cell.hpp"
#include "core/wording.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

void check_target(const Table& table) {
  if (!table.has_target())
    throw InputError(fmt::format("{}: no target was asked for; name the target column", table.path));
  const auto missing = std::find(table.target.begin(), table.target.end(), "");
  if (missing != table.target.end())
    throw InputError(fmt::format("{}: the target is missing; fill it in or remove the row",
                                 table.target_place(missing - table.target.begin())));
}

/// A finite number; "nan" and "inf" are names of classes, if they are anything.
std::optional<double> finite_number(const std::string& text) {
  const std::optional<double> number = parse_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool all_numbers(const std::vector<std::string>& texts) {
  return std::all_of(texts.begin(), texts.end(),
                     [](const std::string& text) { return finite_number(text).has_value(); });
}

/// Equal numbers become equal strings; −0 is 0.
std::string canonical(const std::string& text) { return fmt::format("{}", *finite_number(text) + 0.0); }

/// Strings by which rows and classes are compared.
struct Spelling {
  bool numeric;
  std::string operator()(const std::string& text) const {
    return numeric && finite_number(text) ? canonical(text) : text;
  }
};

/// For every text the name of its class: itself, or the shortest spelling where the table has several for a number.
std::vector<std::string> class_names(const std::vector<std::string>& texts, const Spelling& spelling) {
  std::map<std::string, Index> spellings;
  for (const std::string& text : texts) ++spellings[spelling(text)];
  std::vector<std::string> names;
  for (const std::string& text : texts) names.push_back(spellings[spelling(text)] > 1 ? spelling(text) : text);
  return names;
}

[[noreturn]] void refuse_class(const Table& table, Index row, const std::vector<std::string>& classes) {
  const std::string& label = table.target[row];
  throw InputError(
      fmt::format("{}: {} is not among the {} classes of the model ({} to {}); correct it or remove the row",
                  table.target_place(row), in_quotes(label), classes.size(), in_quotes(classes.front()),
                  in_quotes(classes.back())));
}

}  // namespace

Vector ClassLabels::values() const {
  Vector values(std::ssize(codes));
  for (Index i = 0; i < std::ssize(codes); ++i)
    values(i) = static_cast<double>(is_binary() ? 2 * codes[i] - 1 : codes[i]);
  return values;
}

ClassLabels class_labels(const Table& table) {
  check_target(table);
  CategoryCoder coder;
  std::vector<Index> seen;
  for (const std::string& text : table.target) seen.push_back(coder.code(text));
  const Spelling spelling{all_numbers(coder.texts())};
  const std::vector<std::string> spelled = class_names(coder.texts(), spelling);

  ClassLabels labels;
  labels.classes = sorted_texts(spelled);
  if (labels.classes.size() < 2)
    throw InputError(fmt::format("{}, column {}: all {} rows have the one class {}; give rows of at least two classes",
                                 table.path, in_quotes(table.target_name), table.rows(),
                                 in_quotes(labels.classes.front())));
  const std::vector<Index> places = places_in(spelled, labels.classes);
  for (const Index code : seen) labels.codes.push_back(places[code]);
  return labels;
}

ClassLabels class_labels(const Table& table, const std::vector<std::string>& classes) {
  check_target(table);
  const Spelling spelling{all_numbers(classes)};
  CategoryCoder coder;
  for (const std::string& text : classes) coder.code(spelling(text));
  const auto n_classes = std::ssize(classes);
  ClassLabels labels{classes, {}};
  for (Index i = 0; i < table.rows(); ++i) {
    const Index code = coder.code(spelling(table.target[i]));
    if (code >= n_classes) refuse_class(table, i, classes);
    labels.codes.push_back(code);
  }
  return labels;
}

Vector regression_targets(const Table& table) {
  check_target(table);
  Vector targets(table.rows());
  for (Index i = 0; i < table.rows(); ++i) {
    const std::string& text = table.target[i];
    const std::optional<double> number = finite_number(text);
    if (!number)
      throw InputError(fmt::format("{}: the target {} is not a finite number; correct it, or learn classes",
                                   table.target_place(i), in_quotes(text)));
    targets(i) = *number;
  }
  return targets;
}

void check_targets(const Table& table) {
  const auto missing = table.targets.array().isNaN();
  if (!missing.any()) return;
  for (Index i = 0; i < table.targets.rows(); ++i)
    for (Index k = 0; k < table.targets.cols(); ++k)
      if (std::isnan(table.targets(i, k)))
        throw InputError(
            fmt::format("{}: the target is missing ({} in all); fill it in, or remove the row or the target",
                        table.target_place(i, k), counted(missing.count(), "cell")));
}

TargetValues target_values(const Table& table) {
  check_target(table);
  TargetValues values;
  CategoryCoder coder;
  for (const std::string& text : table.target) coder.code(text);
  std::set<double> different;
  for (const std::string& text : coder.texts()) {
    const std::optional<double> number = finite_number(text);
    values.numbers = values.numbers && number;
    values.whole = values.whole && number && std::floor(*number) == *number;
    if (number) different.insert(*number);
  }
  values.different = static_cast<Index>(values.numbers ? different.size() : coder.texts().size());
  return values;
}

}  // namespace spicymkl
