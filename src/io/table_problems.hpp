// All that is wrong with a table, reported at once: each problem with the option that solves it.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

struct TableProblem {
  std::string text;         ///< a sentence that says what, where and what to do
  std::string option = {};  ///< of the command, that solves it, such as "--categorical"; empty: none does
  std::string value = {};   ///< to be given to the option
  /// A value to be taken from the option: it named a column that is not there.
  bool withdraw = false;
};

/// One problem is its sentence; several are a list, one per line.
class TableProblems : public InputError {
 public:
  TableProblems(const std::string& path, std::vector<TableProblem> problems);
  const std::vector<TableProblem>& all() const { return problems_; }

 private:
  std::vector<TableProblem> problems_;
};

}  // namespace spicymkl
