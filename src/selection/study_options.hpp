// The options that a study has beside those of training and of a cross-validation.
#pragma once

#include "core/option_table.hpp"

namespace spicymkl {

struct StudyOptions {
  int repeats = 20;
  int outer = 5;
  int inner = 5;
  int stability = 50;
  int permutations = 100;
  double threshold = 0.9;
  double false_selections = 1;
  std::string error_bound = "unimodal";
};

const OptionTable<StudyOptions>& study_option_table();

/// What can be known to be wrong before there are rows is an InputError. `penalty` is that of the study: one that
/// selects no kernels has no stability.
void check(const StudyOptions& options, const std::string& penalty);

}  // namespace spicymkl
