// A problem small enough to be solved thousands of times: what models and checkpoints are made from.
#pragma once

#include "spicymkl/pipeline/train_model.hpp"

namespace spicymkl::fuzz {

/// Eight rows of three numbers and a category. `n_classes` 0 is a regression.
Table small_table(int n_classes);

/// The rows as kernels see them, complete.
Samples small_samples();

/// Three kernels of the table. `kernels` is a kernel list.
TrainingInput small_input(int n_classes, const std::string& kernels);

/// Three classes at once, from two sources, one of which lacks a row.
TrainingInput small_joint_input(const std::string& kernels);

/// Two targets of numbers at once.
TrainingInput small_targets_input(const std::string& kernels);

/// Survival times, adjusted for a number, "d", and a category, "colour".
TrainingInput small_survival_input(const std::string& kernels);

/// Precomputed kernels with two classes. With `indefinite` one of them has been mended.
TrainingInput small_gram_input(bool indefinite);

TrainingPlan small_plan();

}  // namespace spicymkl::fuzz
