// From kernels in memory to a model: as many fits as the target takes.
#pragma once

#include "spicymkl/model/model.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/pipeline/training_input.hpp"

namespace spicymkl {

struct TrainedModel {
  Model model;
  std::vector<History> histories;  ///< one a fit
};

/// Sees each record of the `number`-th fit as it is made; false stops it.
using FitProgress = std::function<bool(Index number, const Record& record)>;

/// A stop ends every fit as soon as it has a certified answer: the model is whole whenever it comes. The plan's sample
/// weights are those of the input.
TrainedModel train_model(const TrainingInput& input, TrainingPlan plan, const FitProgress& progress = {});

}  // namespace spicymkl
