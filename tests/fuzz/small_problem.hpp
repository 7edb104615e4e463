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

/// Precomputed kernels with two classes. With `indefinite` one of them has been mended.
TrainingInput small_gram_input(bool indefinite);

TrainingPlan small_plan();

}  // namespace spicymkl::fuzz
