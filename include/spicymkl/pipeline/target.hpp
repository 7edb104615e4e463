// What is learned: numbers, two classes, or several, each of them one or more problems over the same kernels.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spicymkl/io/table.hpp"

namespace spicymkl {

enum class Task { automatic, classification, regression };

/// "auto", "classification" or "regression"; throws InputError for anything else.
Task parse_task(const std::string& name);

/// Throws InputError for a loss that does not learn what the task says.
void check_task(Task task, const std::string& loss);

struct Target {
  std::string loss;                  ///< never "auto"
  std::vector<std::string> classes;  ///< empty for numbers
  std::vector<Index> codes;          ///< per row, its class
  Vector numbers;                    ///< per row, if there are no classes

  /// One problem for numbers and for two classes; with more, one per class.
  Index n_fits() const { return classes.size() > 2 ? std::ssize(classes) : 1; }
  /// The class whose label is +1 in that problem; empty for numbers.
  std::string positive_class(Index fit) const;
  /// +1 and −1, or the numbers.
  Vector labels(Index fit) const;
  Index n_rows() const { return classes.empty() ? numbers.size() : std::ssize(codes); }
  /// The given rows, in that order; the classes stay the same.
  Target rows(std::span<const Index> selected) const;
};

/// `loss` is a loss, or "auto": logistic for classes and squared for numbers. An automatic task is that of the loss;
/// without one strings and two different numbers are classes, other numbers are numbers. Where it is open, because of
/// few different whole numbers, or of many different ones with a loss for classes, the InputError asks for the task.
/// What cannot be learned from is an InputError.
Target make_target(const Table& table, const std::string& loss, Task task = Task::automatic);

/// Labels that came without a table, from the file `source`, as a table that has nothing but a target.
Table labels_as_table(std::vector<std::string> labels, const std::string& source);

/// The target as a trained model sees it: its classes, or numbers.
Target known_target(const Table& table, const std::string& loss, const std::vector<std::string>& classes);

}  // namespace spicymkl
