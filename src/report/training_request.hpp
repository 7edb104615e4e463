// What was asked of a training, in words: the same facts in the report, whoever asked.
#pragma once

#include "spicymkl/report/report.hpp"

namespace spicymkl {

struct TrainingRequest {
  std::string what;     ///< was done: "Training", "Cross-validation", "Regularisation path"
  std::string command;  ///< as one would type it
  std::string data;     ///< a file, or what the user calls the rows
  std::string kernels;
  std::string labels;  ///< of precomputed kernels, whose `data` is the first of them; empty: the data are a table
  std::string solver;
  std::string alpha;                 ///< as it was asked for; empty: there are many
  std::vector<std::string> remarks;  ///< on the kernels
};

/// A report with what was asked filled in.
Report begin_report(const TrainingRequest& request);

}  // namespace spicymkl
