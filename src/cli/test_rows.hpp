// Rows with a known truth that a model is tested on as soon as it is trained.
#pragma once

#include "spicymkl/pipeline/training_table.hpp"
#include "spicymkl/selection/measure.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

struct TestRows {
  std::string path;
  Samples samples;  ///< all columns of the training table, prepared as it was
  Target truth;
};

/// Reads and checks them before the training: what is wrong with them is known at once. `input` names the file, the
/// target, and how it is read. Categories that the training rows do not have, and imputed cells, are reported.
TestRows read_test_rows(const TableInput& input, const TrainingTable& training, const Target& target, int threads,
                        bool silent);

Evaluation evaluate_on(const TestRows& test, const Model& model, int threads);

}  // namespace spicymkl::cli
