// What is learned: numbers, two classes, or several, each of them one or more problems over the same kernels.
#pragma once

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
  ovr,   ///< each against the rest, a problem per class with kernels of its own
  joint  ///< all at once by the multinomial loss, with one weight per kernel
};

/// "ovr" or "joint"; throws InputError for anything else.
MultiClass parse_multi_class(const std::string& name);

/// Throws InputError for a loss that does not learn what the task says.
void check_task(Task task, const std::string& loss);
/// Throws InputError for a loss that cannot learn several classes in this way. "auto" can.
void check_multi_class(MultiClass multi_class, const std::string& loss);

struct Target {
  std::string loss;                  ///< never "auto"
  std::vector<std::string> classes;  ///< empty for numbers
  std::vector<Index> codes;          ///< per row, its class
  Vector numbers;                    ///< per row, if there are no classes

  MultiClass multi_class = MultiClass::ovr;
  Covariates covariates = {};  ///< what it is adjusted for

  /// More than two classes that are learned at once.
  bool joint() const { return multi_class == MultiClass::joint && classes.size() > 2; }
  /// Columns of scores: one for numbers and for two classes; with more, one per class.
  Index n_scores() const { return classes.size() > 2 ? std::ssize(classes) : 1; }
  /// Problems, and outputs of each of them.
  Index n_fits() const { return joint() ? 1 : n_scores(); }
  Index n_outputs() const { return joint() ? n_scores() : 1; }
  /// The class whose label is +1 in that problem; empty for numbers and for all classes at once.
  std::string positive_class(Index fit) const;
  /// +1 and −1, or the numbers; of all classes at once, 1 and 0 for one class after the other.
  Vector labels(Index fit) const;
  Index n_rows() const { return classes.empty() ? numbers.size() : std::ssize(codes); }
  /// The given rows, in that order; the classes stay the same.
  Target rows(std::span<const Index> selected) const;
};

/// `loss` is a loss, or "auto": logistic for classes and squared for numbers. An automatic task is that of the loss;
/// without one strings and two different numbers are classes, other numbers are numbers. Where it is open, because of
/// few different whole numbers, or of many different ones with a loss for classes, the InputError asks for the task.
/// What cannot be learned from is an InputError.
Target make_target(const Table& table, const std::string& loss, Task task = Task::automatic,
                   MultiClass multi_class = MultiClass::ovr);

/// Classes that are known already, to be learned by this loss ("auto": by the default one).
Target make_class_target(std::vector<std::string> classes, std::vector<Index> codes, const std::string& loss,
                         MultiClass multi_class);

/// Labels that came without a table, from the file `source`, as a table that has nothing but a target.
Table labels_as_table(std::vector<std::string> labels, const std::string& source);

/// The target as a trained model sees it: its classes, or numbers.
Target known_target(const Table& table, const std::string& loss, const std::vector<std::string>& classes);

}  // namespace spicymkl
