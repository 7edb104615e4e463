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
  return loss_type(loss).labels == LabelKind::real ? Task::regression : Task::classification;
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

MultiClass parse_multi_class(const std::string& name) {
  if (name == "ovr") return MultiClass::ovr;
  if (name == "joint") return MultiClass::joint;
  throw InputError(fmt::format("multi_class '{}' is not known; give joint or ovr", name));
}

void check_multi_class(MultiClass multi_class, const std::string& loss) {
  if (loss == "auto" || loss_type(loss).labels == LabelKind::real) return;
  const bool at_once = loss_type(loss).labels == LabelKind::several_classes;
  if (multi_class == MultiClass::ovr && at_once)
    throw InputError(fmt::format(
        "loss {} learns all classes at once, but multi_class is ovr, each class against the rest; give multi_class "
        "joint, or a loss such as {}",
        loss, default_loss(LabelKind::two_classes).name));
  if (multi_class == MultiClass::joint && !at_once && loss != default_loss(LabelKind::two_classes).name)
    throw InputError(
        fmt::format("loss {} tells two classes apart, but multi_class is joint, all classes at once; give multi_class "
                    "ovr, or the loss {}",
                    loss, default_loss(LabelKind::several_classes).name));
}

std::string Target::positive_class(Index fit) const {
  if (classes.empty() || joint()) return "";
  return classes[classes.size() == 2 ? 1 : fit];
}

Vector Target::labels(Index fit) const {
  if (classes.empty()) return numbers;
  const Index n = std::ssize(codes);
  if (joint()) {
    Vector ones = Vector::Zero(n * n_outputs());
    for (Index i = 0; i < n; ++i) ones(codes[i] * n + i) = 1;
    return ones;
  }
  const Index positive = classes.size() == 2 ? 1 : fit;
  Vector signs(std::ssize(codes));
  for (std::size_t i = 0; i < codes.size(); ++i) signs(static_cast<Index>(i)) = codes[i] == positive ? 1 : -1;
  return signs;
}

Target Target::rows(std::span<const Index> selected) const {
  Target part{loss, classes, {}, Vector(classes.empty() ? std::ssize(selected) : 0), multi_class};
  for (std::size_t k = 0; k < selected.size(); ++k) {
    if (classes.empty()) part.numbers(static_cast<Index>(k)) = numbers(selected[k]);
    else part.codes.push_back(codes[selected[k]]);
  }
  part.covariates = covariates.rows(selected);
  return part;
}

Target make_target(const Table& table, const std::string& loss, Task task, MultiClass multi_class) {
  if (table.rows() < 2)
    throw InputError(fmt::format("{}: there is only one row; learning takes at least 2 samples", table.path));
  check_task(task, loss);
  check_multi_class(multi_class, loss);
  if (task_of(table, loss, task) == Task::regression) {
    Target target;
    target.loss = loss == "auto" ? default_loss(LabelKind::real).name : loss;
    target.numbers = regression_targets(table);
    return target;
  }
  ClassLabels labels = class_labels(table);
  refuse_too_many(table, labels.classes.size());
  return make_class_target(std::move(labels.classes), std::move(labels.codes), loss, multi_class);
}

Target make_class_target(std::vector<std::string> classes, std::vector<Index> codes, const std::string& loss,
                         MultiClass multi_class) {
  Target target{loss, std::move(classes), std::move(codes), {}, multi_class};
  if (loss != "auto" && multi_class == MultiClass::ovr) return target;
  // Of two classes the joint loss is that of two classes.
  target.loss = default_loss(target.joint() ? LabelKind::several_classes : LabelKind::two_classes).name;
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
  if (loss_type(loss).labels == LabelKind::several_classes) target.multi_class = MultiClass::joint;
  return target;
}

}  // namespace spicymkl
