// What is learned: numbers, several targets of them, two classes, or several, each of them one or more problems over
// the same kernels.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "spicymkl/io/table.hpp"
#include "spicymkl/model/covariates.hpp"

namespace spicymkl {

enum class Task { automatic, classification, regression };

/// "auto", "classification" or "regression"; throws InputError for anything else.
Task parse_task(const std::string& name);

/// How more than two classes are learned.
enum class MultiClass {
  automatic,  ///< joint; ovr with losses that tell only two classes apart
  ovr,        ///< each against the rest, a problem per class with kernels of its own
  joint       ///< all at once by the multinomial loss, with one weight per kernel
};

/// "auto", "joint" or "ovr"; throws InputError for anything else.
MultiClass parse_multi_class(const std::string& name);
std::string name_of(MultiClass multi_class);

/// How several targets are learned.
enum class MultiOutput {
  joint,  ///< all at once, with one weight per kernel
  each    ///< each by itself, a problem per target with kernels of its own
};

/// "joint" or "each"; throws InputError for anything else.
MultiOutput parse_multi_output(const std::string& name);

/// Throws InputError for a loss that does not learn what the task says.
void check_task(Task task, const std::string& loss);
/// Throws InputError for a loss that cannot learn several classes in this way. "auto" can; a loss that is not known, as
/// one of your own, tells two classes apart.
void check_multi_class(MultiClass multi_class, const std::string& loss);

struct Target {
  std::string loss;                  ///< never "auto"
  std::vector<std::string> classes;  ///< empty for numbers
  std::vector<Index> codes;          ///< per row, its class
  Vector numbers;                    ///< per row, if there are no classes

  MultiClass multi_class = MultiClass::ovr;  ///< never automatic
  bool multi_class_was_asked = false;        ///< or the loss has no other way; else the loss decided
  Covariates covariates = {};                ///< what it is adjusted for

  /// Of survival times, which are the numbers: per row 1 where they ended with the event, 0 where the sample was lost.
  Vector events;
  std::string event_name;  ///< their column
  int event_code = 1;      ///< what stands for an event in the table; one less where there was none

  bool survival() const { return events.size() > 0; }
  /// What rows are divided by, so that all parts are alike: classes, or who had the event; else one kind.
  Index n_strata() const { return survival() ? 2 : std::max<Index>(1, std::ssize(classes)); }
  Index stratum(Index row) const;

  Matrix several;                  ///< rows × targets, where several are learned: then `numbers` is empty
  std::vector<std::string> names;  ///< of these targets; empty: there is one
  MultiOutput multi_output = MultiOutput::joint;

  bool has_several() const { return !names.empty(); }
  /// More than two classes, or several targets, that are learned at once.
  bool joint() const {
    return has_several() ? multi_output == MultiOutput::joint : multi_class == MultiClass::joint && classes.size() > 2;
  }
  /// Columns of scores: one for numbers and for two classes; with more classes or targets, one for each.
  Index n_scores() const { return has_several() ? std::ssize(names) : classes.size() > 2 ? std::ssize(classes) : 1; }
  /// Problems, and outputs of each of them.
  Index n_fits() const { return joint() ? 1 : n_scores(); }
  Index n_outputs() const { return joint() ? n_scores() : 1; }
  /// The class whose label is +1 in that problem; empty for numbers and for all classes at once.
  std::string positive_class(Index fit) const;
  /// The target of that problem, where each of several has one; else empty.
  std::string target_name(Index fit) const;
  /// +1 and −1, or the numbers; of all classes at once, 1 and 0 for one class after the other; of all targets at once,
  /// the numbers of one after the other; of survival times their ranks, negative where there was no event.
  Vector labels(Index fit) const;
  Index n_rows() const { return has_several() ? several.rows() : classes.empty() ? numbers.size() : std::ssize(codes); }
  /// The given rows, in that order; the classes stay the same.
  Target rows(std::span<const Index> selected) const;
};

/// `loss` is a loss, or "auto": logistic for classes and squared for numbers. An automatic task is that of the loss;
/// without one strings and two different numbers are classes, other numbers are numbers. Where it is open, because of
/// few different whole numbers, or of many different ones with a loss for classes, the InputError asks for the task.
/// Several targets are numbers. What cannot be learned from is an InputError.
Target make_target(const Table& table, const std::string& loss, Task task = Task::automatic,
                   MultiClass multi_class = MultiClass::automatic, MultiOutput multi_output = MultiOutput::joint);

/// Several columns of numbers under these names, to be learned by this loss ("auto": by the default one). One that is
/// constant, or not finite, is an InputError whose text begins with `source`.
Target make_several_targets(Matrix columns, std::vector<std::string> names, const std::string& loss,
                            MultiOutput multi_output, const std::string& source);

/// Classes that are known already, to be learned by this loss ("auto": by the default one). More than two that cannot
/// be learned in this way are an InputError.
Target make_class_target(std::vector<std::string> classes, std::vector<Index> codes, const std::string& loss,
                         MultiClass multi_class);

/// Survival times, the target of the table, with its events: 0 and 1, or 1 and 2, or false and true, of which the
/// second is the event. `event_code` is that of a trained model; 0: as the table has it. What cannot be learned from is
/// an InputError.
Target make_survival_target(const Table& table, int event_code = 0);

/// Labels that came without a table, from the file `source`, as a table that has nothing but a target.
Table labels_as_table(std::vector<std::string> labels, const std::string& source);
/// The same of several targets, which are called y0, y1, …
Table targets_as_table(Matrix targets, const std::string& source);

/// The target as a trained model sees it: its classes, numbers of one target or several, or survival times with its
/// code of events.
Target known_target(const Table& table, const std::string& loss, const std::vector<std::string>& classes,
                    int event_code = 0);

}  // namespace spicymkl
