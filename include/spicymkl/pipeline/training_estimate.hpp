// What a run will take, reported before its work begins.
#pragma once

#include <string>

#include "spicymkl/bank/bank_plan.hpp"
#include "spicymkl/model/problem_description.hpp"
#include "spicymkl/solver/strategy.hpp"

namespace spicymkl {

/// How many problems are solved.
struct Workload {
  Index n_fits = 1;    ///< one per class or target that is learned by itself
  Index n_points = 1;  ///< strengths and shapes of the penalty, each solved from the one before
  Index n_folds =
      0;  ///< of a cross-validation: then the points are those of every fold, and one fit on all rows follows
  Index n_outputs = 1;           ///< of each fit
  bool classes_at_once = false;  ///< outputs are classes, of which every row sums to zero
};

struct TrainingEstimate {
  double seconds = 0;                  ///< on the machine that plan_bank() speaks of
  double bytes = 0;                    ///< at the worst moment, all in all
  bool one_by_one_is_quicker = false;  ///< each class against the rest, where they are learned at once
};

/// What the strategy will see of a problem over these kernels.
ProblemOutline outline_of(const BankPlan& plan, const ProblemDescription& problem, Index n_outputs = 1);

/// From fitted kernels to a model. It follows what the solvers do, which is good for a factor of two where they take
/// their usual number of steps.
TrainingEstimate estimate_training(const BankPlan& plan, const ProblemDescription& problem, const Settings& settings,
                                   const Workload& work);

/// "100000 rows, 27 kernels: 22 as low-rank factors, 5 computed at every pass; about 1.2 GB and 25 min"
std::string estimate_text(const BankPlan& plan, const TrainingEstimate& estimate);

/// What would make a long run shorter, in one sentence: options of the command that are not in use yet. "" where the
/// run is not long.
std::string estimate_advice(const BankPlan& plan, const TrainingEstimate& estimate, const Settings& settings,
                            double memory, double free_memory);

}  // namespace spicymkl
