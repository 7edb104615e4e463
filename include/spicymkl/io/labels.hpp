// The target's texts turned into what a loss learns from: numbers, or classes.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/io/table.hpp"

namespace spicymkl {

struct ClassLabels {
  std::vector<std::string>
      classes;               ///< by value if all are numbers ("+1", "1.0" and "1" are one class, "1"), else by text
  std::vector<Index> codes;  ///< per row, its place in `classes`

  bool is_binary() const { return classes.size() == 2; }
  /// Two classes: −1 for the first, +1 for the second. More: the codes.
  Vector values() const;
};

/// The classes are those of the table. Throws InputError for a missing target (naming the line) and for a single class.
ClassLabels class_labels(const Table& table);

/// The classes are those of a trained model; throws InputError at the first label that is not among them.
ClassLabels class_labels(const Table& table, const std::vector<std::string>& classes);

/// Numbers to regress on. Throws InputError at the first missing, textual or infinite target.
Vector regression_targets(const Table& table);

enum class Task { classification, regression };

/// Regression when all targets are numbers and more than two are different, else classification.
Task guess_task(const Table& table);

}  // namespace spicymkl
