// Training data in a few numbers.
#pragma once

#include "spicymkl/pipeline/target.hpp"

namespace spicymkl {

struct ColumnSummary {
  std::string name;
  Index n_categories = 0;  ///< 0 for a column of numbers
  Index n_missing = 0;
  double smallest = 0, mean = 0, largest = 0;  ///< of the numbers that are there
};

struct DataSummary {
  std::string source;  ///< file
  Index n_rows = 0;
  std::vector<ColumnSummary> columns;  ///< none for precomputed kernels
  std::string target_name;
  std::vector<std::string> classes;  ///< empty for numbers
  std::vector<Index> class_rows;     ///< rows of each class
  ColumnSummary target;              ///< of numbers

  Index n_missing() const;
  Index n_categorical() const;
};

/// `table` is as read, before imputation.
DataSummary summarize(const Table& table, const Target& target);

}  // namespace spicymkl
