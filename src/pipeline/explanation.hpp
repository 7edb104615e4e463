// What a training would do and take, without doing it.
#pragma once

#include <string>

#include "spicymkl/pipeline/training_estimate.hpp"
#include "spicymkl/solver/strategy.hpp"

namespace spicymkl {

struct Explanation {
  BankPlan bank;
  Workload work;
  TrainingEstimate estimate;  ///< of everything, on this machine
  double kernel_seconds = 0;  ///< of it, to compute what is kept of the kernels
  Plan plan;                  ///< of each fit
  Stages stages;              ///< of all fits together: the rest of the time
};

/// `slowness` is that of this machine, see machine_slowness(). The problem must have a loss, not "auto".
Explanation explain_training(BankPlan bank, const ProblemDescription& problem, const Settings& settings,
                             const Workload& work, double slowness);

/// A line about the kernels and the whole, and one per stage.
std::string explanation_text(const Explanation& explanation);

}  // namespace spicymkl
