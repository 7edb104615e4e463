// The options that a path and a cross-validation have beside those of training.
#pragma once

#include "core/option_table.hpp"
#include "spicymkl/selection/cross_validation.hpp"

namespace spicymkl {

struct PathOptions {
  int n_alphas = 50;
  double alpha_ratio = 0.01;
  std::vector<std::string> alphas;
};

struct CvChoices {
  int n_alphas = 12;
  double alpha_ratio = 0.001;
  std::vector<std::string> alphas;
  std::vector<double> l1_ratios;
  std::vector<double> qs;
  int folds = 5;
  std::string metric = "auto";
  bool one_standard_error = false;
};

const OptionTable<PathOptions>& path_option_table();
const OptionTable<CvChoices>& cv_option_table();

/// The given alphas, or as many as asked for from alpha_max down.
AlphaGrid make_alpha_grid(const PathOptions& options);
/// Checked against the plan.
CvGrid make_cv_grid(const CvChoices& choices, const TrainingPlan& plan, const std::vector<std::string>& kernels);

/// All options of train, path, cv and study as one JSON text: {"train": [{"name", "type", "default", "choices", "help",
/// "command_line"}, …], "path": …, "cv": …, "study": …, "losses": [{"name", "description", …}, …], "penalties": …,
/// "kernels": …}, so that other front ends and their documentation are made from it, or held against it.
std::string option_tables_json();

}  // namespace spicymkl
