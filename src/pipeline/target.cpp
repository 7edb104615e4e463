#include "spicymkl/pipeline/target.hpp"

#include <fmt/format.h>

#include "io/labels.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

namespace {

constexpr Index kMostFew = 20;  // different whole numbers that may be classes as well as amounts

Task task_of_loss(const std::string& loss) {
  if (loss == "auto") return Task::automatic;
  return loss_type(loss).labels == LabelKind::two_classes ? Task::classification : Task::regression;
}

std::string column_of(const Table& table) { return fmt::format("{}, column '{}'", table.path, table.target_name); }

/// The question is asked where classes and amounts would both be accepted.
Task guess_task(const Table& table) {
  const TargetValues values = target_values(table);
  if (!values.numbers || values.different <= 2) return Task::classification;
  if (values.whole && values.different <= kMostFew && 2 * values.different <= table.rows())
    throw InputError(fmt::format(
        "{}: {} different whole numbers: classes or amounts? give --task classification or --task regression",
        column_of(table), values.different));
  return Task::regression;
}

/// A loss for classes makes classes of numbers, but hardly of hundreds of them.
Task task_by_loss(const Table& table, const std::string& loss) {
  const Task task = task_of_loss(loss);
  if (task == Task::regression) return task;
  const TargetValues values = target_values(table);
  if (values.numbers && values.different > kMostFew)
    throw InputError(
        fmt::format("{}: {} rows have {} different numbers, too many for classes: is {} the right loss? give --task "
                    "classification if they are classes, or for numbers a loss such as squared",
                    column_of(table), table.rows(), values.different, loss));
  return task;
}

Task task_of(const Table& table, const std::string& loss, Task asked) {
  if (asked != Task::automatic) return asked;
  return loss == "auto" ? guess_task(table) : task_by_loss(table, loss);
}

/// Measurements taken for classes would be one problem per row.
void refuse_too_many(const Table& table, std::size_t n_classes) {
  if (n_classes > 2 && 2 * static_cast<Index>(n_classes) > table.rows())
    throw InputError(
        fmt::format("{}: {} rows have {} different values, too many for classes; for numbers give --task regression "
                    "or a loss such as squared, for strings another target",
                    column_of(table), table.rows(), n_classes));
}

}  // namespace

Task parse_task(const std::string& name) {
  if (name == "auto") return Task::automatic;
  if (name == "classification") return Task::classification;
  if (name == "regression") return Task::regression;
  throw InputError(fmt::format("task '{}' is not known; give auto, classification or regression", name));
}

void check_task(Task task, const std::string& loss) {
  const Task learned = task_of_loss(loss);
  if (task == Task::automatic || learned == Task::automatic || task == learned) return;
  const bool classes = learned == Task::classification;
  throw InputError(
      fmt::format("loss {} learns {}, but the task is {}; leave one of them out, or take a loss such as {}", loss,
                  classes ? "classes" : "numbers", classes ? "regression" : "classification",
                  default_loss(classes ? LabelKind::real : LabelKind::two_classes).name));
}

std::string Target::positive_class(Index fit) const {
  if (classes.empty()) return "";
  return classes[classes.size() == 2 ? 1 : fit];
}

Vector Target::labels(Index fit) const {
  if (classes.empty()) return numbers;
  const Index positive = classes.size() == 2 ? 1 : fit;
  Vector signs(std::ssize(codes));
  for (std::size_t i = 0; i < codes.size(); ++i) signs(static_cast<Index>(i)) = codes[i] == positive ? 1 : -1;
  return signs;
}

Target Target::rows(std::span<const Index> selected) const {
  Target part{loss, classes, {}, Vector(classes.empty() ? std::ssize(selected) : 0)};
  for (std::size_t k = 0; k < selected.size(); ++k) {
    if (classes.empty()) part.numbers(static_cast<Index>(k)) = numbers(selected[k]);
    else part.codes.push_back(codes[selected[k]]);
  }
  return part;
}

Target make_target(const Table& table, const std::string& loss, Task task) {
  if (table.rows() < 2)
    throw InputError(fmt::format("{}: there is only one row; learning takes at least 2 samples", table.path));
  Target target;
  check_task(task, loss);
  if (task_of(table, loss, task) == Task::regression) {
    target.loss = loss == "auto" ? default_loss(LabelKind::real).name : loss;
    target.numbers = regression_targets(table);
    return target;
  }
  target.loss = loss == "auto" ? default_loss(LabelKind::two_classes).name : loss;
  ClassLabels labels = class_labels(table);
  refuse_too_many(table, labels.classes.size());
  target.classes = std::move(labels.classes);
  target.codes = std::move(labels.codes);
  return target;
}

Table labels_as_table(std::vector<std::string> labels, const std::string& source) {
  Table table;
  table.path = source;
  table.target_name = "labels";
  table.values.resize(std::ssize(labels), 0);
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
