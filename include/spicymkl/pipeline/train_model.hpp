// From kernels in memory to a model: as many fits as the target takes.
#pragma once

#include <map>

#include "spicymkl/model/model.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/pipeline/training_input.hpp"

namespace spicymkl {

struct TrainedModel {
  Model model;
  std::vector<History> histories;  ///< one per fit
  std::vector<WarmStart> ends;     ///< one per fit; see TrainedFit
};

/// What is kept of fits on this input.
Model make_model(const TrainingInput& input, std::vector<Fit> fits, double tol);

/// Sees each record of the `number`-th fit as it is made; false stops it.
using FitProgress = std::function<bool(Index number, const Record& record)>;

/// A run that has not ended yet: enough to resume from there in another process.
struct TrainingState {
  std::map<Index, TrainedFit> fits;  ///< those that have ended, by number
  Index current = 0;                 ///< number of the one under way
  WarmStart current_start;           ///< where it stands; may be empty
  History current_history;
};

/// Called after every outer step, and when all is done (`last`), with a function that works out the state.
using StateCallback = std::function<void(const std::function<TrainingState()>& state, bool last)>;

/// A stop ends every fit as soon as it has a certified answer: the model is whole whenever it comes. The plan's sample
/// weights are those of the input.
TrainedModel train_model(const TrainingInput& input, TrainingPlan plan, const FitProgress& progress = {});

/// The same from the state of an earlier run: fits that met the tolerance stay, the others resume where they were.
/// Times and histories are those of both runs.
TrainedModel train_model(const TrainingInput& input, TrainingPlan plan, const FitProgress& progress,
                         const TrainingState& earlier, const StateCallback& checkpoint);

}  // namespace spicymkl
