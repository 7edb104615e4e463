#include "spicymkl/pipeline/target.hpp"

#include <fmt/format.h>

#include "spicymkl/core/error.hpp"
#include "spicymkl/io/labels.hpp"
#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

namespace {

Task task_of(const Table& table, const std::string& loss) {
  if (loss == "auto") return guess_task(table);
  return make_loss(loss)->labels() == LabelKind::two_classes ? Task::classification : Task::regression;
}

/// Measurements taken for classes would be one problem a row.
void refuse_too_many(const Table& table, const std::string& loss, std::size_t n_classes) {
  if (n_classes > 2 && 2 * static_cast<Index>(n_classes) > table.rows())
    throw InputError(
        fmt::format("{}, column '{}': {} rows have {} different values, too many for classes; for numbers use a "
                    "loss such as squared in place of {}",
                    table.path, table.target_name, table.rows(), n_classes, loss));
}

}  // namespace

std::string Target::positive_class(Index fit) const {
  if (classes.empty()) return "";
  return classes[classes.size() == 2 ? 1 : static_cast<std::size_t>(fit)];
}

Vector Target::labels(Index fit) const {
  if (classes.empty()) return numbers;
  const Index positive = classes.size() == 2 ? 1 : fit;
  Vector signs(static_cast<Index>(codes.size()));
  for (std::size_t i = 0; i < codes.size(); ++i) signs(static_cast<Index>(i)) = codes[i] == positive ? 1 : -1;
  return signs;
}

Target Target::rows(std::span<const Index> selected) const {
  Target part{loss, classes, {}, Vector(classes.empty() ? static_cast<Index>(selected.size()) : 0)};
  for (std::size_t k = 0; k < selected.size(); ++k) {
    if (classes.empty()) part.numbers(static_cast<Index>(k)) = numbers(selected[k]);
    else part.codes.push_back(codes[static_cast<std::size_t>(selected[k])]);
  }
  return part;
}

Target make_target(const Table& table, const std::string& loss) {
  if (table.rows() < 2)
    throw InputError(fmt::format("{}: there is only one row; learning takes at least 2 samples", table.path));
  Target target;
  if (task_of(table, loss) == Task::regression) {
    target.loss = loss == "auto" ? "squared" : loss;
    target.numbers = regression_targets(table);
    return target;
  }
  target.loss = loss == "auto" ? "logistic" : loss;
  ClassLabels labels = class_labels(table);
  refuse_too_many(table, target.loss, labels.classes.size());
  target.classes = std::move(labels.classes);
  target.codes = std::move(labels.codes);
  return target;
}

Table labels_as_table(std::vector<std::string> labels, const std::string& source) {
  Table table;
  table.path = source;
  table.target_name = "labels";
  table.values.resize(static_cast<Index>(labels.size()), 0);
  table.target = std::move(labels);
  return table;
}

Target known_target(const Table& table, const std::string& loss, const std::vector<std::string>& classes) {
  Target target;
  target.loss = loss;
  if (classes.empty()) {
    target.numbers = regression_targets(table);
    return target;
  }
  target.classes = classes;
  target.codes = class_labels(table, classes).codes;
  return target;
}

}  // namespace spicymkl
