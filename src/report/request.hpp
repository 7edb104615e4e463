// What was asked, in words: the same facts in the report, whether the command was asked or Python.
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
  int threads = 0;                   ///< for what is computed for the page; 0: all cores
};

/// A report with what was asked filled in.
Report begin_report(const TrainingRequest& request);

/// The same for a model from a file and, unless `data` is empty, rows that it is compared with.
Report begin_evaluation(const std::string& command, const std::string& model, const std::string& data);

}  // namespace spicymkl
