#include "spicymkl/pipeline/target.hpp"

#include <fmt/format.h>

#include "core/named_table.hpp"
#include "core/wording.hpp"
#include "io/cell.hpp"
#include "io/labels.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/loss/loss.hpp"
#include "survival_target.hpp"

namespace spicymkl {

namespace {

constexpr Index kMostFew = 20;  // different whole numbers that may be classes as well as amounts

bool learns_survival(const std::string& loss) {
  return loss != "auto" && loss_type(loss).labels == LabelKind::survival;
}

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

/// Whether more than two classes can be learned at once by what this loss becomes then.
bool has_joint_form(const std::string& loss) {
  return loss == "auto" || loss == default_loss(LabelKind::two_classes).name ||
         loss == default_loss(LabelKind::several_classes).name;
}

/// What is learned where nobody asked: at once, classes are recognised as well or better, with one answer to which
/// kernels matter (docs/classes.md).
MultiClass chosen_for(const std::string& loss) { return has_joint_form(loss) ? MultiClass::joint : MultiClass::ovr; }

/// Several targets are columns of numbers.
void refuse_classes(const Table& table, const std::string& loss, Task task) {
  if (task != Task::classification && task_of_loss(loss) != Task::classification) return;
  throw InputError(fmt::format(
      "{}: {} targets are given ({}), and several targets are numbers, but {} learns classes; give one target, or a "
      "loss such as {}",
      table.path, table.target_names.size(), table.target_name,
      task == Task::classification ? "--task classification" : fmt::format("loss {}", loss),
      default_loss(LabelKind::real).name));
}

}  // namespace

Task parse_task(const std::string& name) {
  if (name == "auto") return Task::automatic;
  if (name == "classification") return Task::classification;
  if (name == "regression") return Task::regression;
  throw InputError(fmt::format("task '{}' is not known; give auto, classification or regression", name));
}

void check_task(Task task, const std::string& loss) {
  if (task != Task::automatic && learns_survival(loss))
    throw InputError(fmt::format(
        "loss {} learns survival times, which are neither classes nor plain numbers; leave out the task", loss));
  const Task learned = task_of_loss(loss);
  if (task == Task::automatic || learned == Task::automatic || task == learned) return;
  const bool classes = learned == Task::classification;
  throw InputError(
      fmt::format("loss {} learns {}, but the task is {}; leave one of them out, or take a loss such as {}", loss,
                  classes ? "classes" : "numbers", classes ? "regression" : "classification",
                  default_loss(classes ? LabelKind::real : LabelKind::two_classes).name));
}

MultiClass parse_multi_class(const std::string& name) {
  if (name == "auto") return MultiClass::automatic;
  if (name == "ovr") return MultiClass::ovr;
  if (name == "joint") return MultiClass::joint;
  throw InputError(fmt::format("multi_class '{}' is not known; give auto, joint or ovr", name));
}

std::string name_of(MultiClass multi_class) {
  return multi_class == MultiClass::automatic ? "auto" : multi_class == MultiClass::joint ? "joint" : "ovr";
}

void check_multi_class(MultiClass multi_class, const std::string& loss) {
  const LossType* type = find_named(loss_types(), loss);
  if (type != nullptr && (type->labels == LabelKind::survival || type->labels == LabelKind::real)) return;
  if (multi_class == MultiClass::ovr && type != nullptr && type->labels == LabelKind::several_classes)
    throw InputError(fmt::format(
        "loss {} learns all classes at once, but multi_class is ovr, each class against the rest; give multi_class "
        "auto or joint, or a loss such as {}",
        loss, default_loss(LabelKind::two_classes).name));
  if (multi_class == MultiClass::joint && !has_joint_form(loss))
    throw InputError(
        fmt::format("loss {} tells two classes apart, but multi_class is joint, all classes at once; give multi_class "
                    "ovr, or the loss {}",
                    loss, default_loss(LabelKind::two_classes).name));
}

MultiOutput parse_multi_output(const std::string& name) {
  if (name == "joint") return MultiOutput::joint;
  if (name == "each") return MultiOutput::each;
  throw InputError(fmt::format("multi_output '{}' is not known; give joint or each", name));
}

std::string Target::target_name(Index fit) const { return has_several() && !joint() ? names[fit] : ""; }

std::string Target::positive_class(Index fit) const {
  if (classes.empty() || joint()) return "";
  return classes[classes.size() == 2 ? 1 : fit];
}

Index Target::stratum(Index row) const {
  if (survival()) return events(row) > 0 ? 1 : 0;
  return classes.empty() ? 0 : codes[row];
}

Vector Target::labels(Index fit) const {
  if (survival()) return signed_ranks(numbers, events);
  if (has_several()) return joint() ? Vector(several.reshaped()) : Vector(several.col(fit));
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
  const std::vector<Index> places(selected.begin(), selected.end());
  Target part = *this;
  if (has_several()) part.several = several(places, Eigen::all);
  else if (classes.empty()) part.numbers = numbers(places);
  part.codes.clear();
  if (!classes.empty())
    for (const Index place : places) part.codes.push_back(codes[place]);
  if (survival()) part.events = events(places);
  part.covariates = covariates.rows(selected);
  return part;
}

Target make_target(const Table& table, const std::string& loss, Task task, MultiClass multi_class,
                   MultiOutput multi_output) {
  if (table.rows() < 2)
    throw InputError(fmt::format("{}: there is only one row; learning takes at least 2 samples", table.path));
  check_task(task, loss);
  if (table.has_several_targets()) {
    refuse_classes(table, loss, task);
    check_targets(table);
    return make_several_targets(table.targets, table.target_names, loss, multi_output, table.path);
  }
  check_multi_class(multi_class, loss);
  if (learns_survival(loss) || !table.event_name.empty()) return make_survival_target(table);
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

Target make_several_targets(Matrix columns, std::vector<std::string> names, const std::string& loss,
                            MultiOutput multi_output, const std::string& source) {
  for (Index k = 0; k < columns.cols(); ++k)
    if (columns.col(k).minCoeff() == columns.col(k).maxCoeff())
      throw InputError(
          fmt::format("{}, target {}: all {} rows have the value {}, from which nothing can be learned; leave the "
                      "target out",
                      source, in_quotes(names[k]), columns.rows(), columns(0, k)));
  Target target;
  target.loss = loss == "auto" ? default_loss(LabelKind::real).name : loss;
  target.several = std::move(columns);
  target.names = std::move(names);
  target.multi_output = multi_output;
  return target;
}

Target make_class_target(std::vector<std::string> classes, std::vector<Index> codes, const std::string& loss,
                         MultiClass multi_class) {
  Target target;
  target.loss = loss;
  target.classes = std::move(classes);
  target.codes = std::move(codes);
  target.multi_class = multi_class == MultiClass::automatic ? chosen_for(loss) : multi_class;
  target.multi_class_was_asked =
      multi_class != MultiClass::automatic || loss == default_loss(LabelKind::several_classes).name;
  if (target.classes.size() > 2) check_multi_class(target.multi_class, loss);
  // Of two classes the joint loss is that of two classes.
  if (has_joint_form(loss))
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

Table targets_as_table(Matrix targets, const std::string& source) {
  Table table = labels_as_table({}, source);
  table.values.resize(targets.rows(), 0);
  for (Index k = 0; k < targets.cols(); ++k) table.target_names.push_back(fmt::format("y{}", k));
  table.target_name = listed(table.target_names);
  table.targets = std::move(targets);
  return table;
}

Target known_target(const Table& table, const std::string& loss, const std::vector<std::string>& classes,
                    int event_code) {
  if (learns_survival(loss)) return make_survival_target(table, event_code);
  Target target;
  target.loss = loss;
  if (table.has_several_targets()) {
    check_targets(table);
    target.several = table.targets;
    target.names = table.target_names;
    return target;
  }
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
