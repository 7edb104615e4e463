// The target's strings turned into what a loss learns from: numbers, or classes.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/io/table.hpp"

namespace spicymkl {

struct ClassLabels {
  /// By value if all are numbers, else by text. A class has the spelling of the table; numbers that are spelt in
  /// several ways ("+1", "1.0" and "1") are one class, in their shortest spelling.
  std::vector<std::string> classes;
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

/// Throws InputError at the first cell of several targets that is missing: first row, then first target.
void check_targets(const Table& table);

/// What speaks for classes or for numbers.
struct TargetValues {
  bool numbers = true;  ///< all are finite numbers
  bool whole = true;    ///< all are whole numbers
  Index different = 0;  ///< values; for numbers by value
};

/// Throws InputError for a missing target.
TargetValues target_values(const Table& table);

}  // namespace spicymkl
