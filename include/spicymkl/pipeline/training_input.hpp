// Kernels in memory, and what they are to learn: where tables and precomputed kernels meet.
#pragma once

#include <functional>

#include "spicymkl/bank/gram_check.hpp"
#include "spicymkl/bank/psd_repair.hpp"
#include "spicymkl/device/device.hpp"
#include "spicymkl/model/problem_description.hpp"
#include "spicymkl/pipeline/target.hpp"
#include "spicymkl/pipeline/training_estimate.hpp"
#include "spicymkl/pipeline/training_table.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

struct TrainingInput {
  std::shared_ptr<const KernelBank> bank;
  std::shared_ptr<const KernelBank> exact;  ///< where `bank` approximates; else null
  Target target;
  Vector sample_weights;                     ///< empty: all 1
  std::shared_ptr<TrainingTable> table;      ///< null: precomputed kernels; the banks refer to its samples
  std::optional<TrainingEstimate> estimate;  ///< what the run was expected to take, if that was worked out
  std::vector<TinyNegative> tolerated;       ///< of precomputed kernels: eigenvalues below 0 by rounding
  PsdMethod psd = PsdMethod::refuse;
  std::shared_ptr<const std::vector<PsdRepair>> repairs;  ///< of precomputed kernels that were repaired; null: none
};

/// Sees the kernels of a table and how they will be kept, before the work begins.
using PlanCallback = std::function<void(const TrainingTable& table, const BankPlan& plan)>;

/// How the rows of a table become kernels in memory.
struct TablePlan {
  std::optional<ImputeMethod> impute;
  KernelChoice kernels;
  double memory = 0;                                     ///< bytes for kernels; 0: half of what is free
  double expected_passes = 5;                            ///< how often all kernels will be read; see BankOptions
  double rank_tolerance = BankOptions().rank_tolerance;  ///< see there
  int threads = 0;                                       ///< 0: all cores
  PlanCallback planned = {};                             ///< may be empty
  Watch watch;                                           ///< of the bank, and while it is made
  std::shared_ptr<const BankMaker> maker = nullptr;      ///< where banks are made; see BankOptions
};

/// How often a training run will read every kernel: few times where a working set does the work, else at every step.
double expected_passes(const ProblemDescription& problem, const Settings& settings);

/// Precomputed kernels, repaired where that is asked for; without a target. See repaired(). With a device, a copy of
/// them there.
TrainingInput make_gram_input(std::shared_ptr<const DenseBank> grams, PsdMethod psd,
                              const std::shared_ptr<const Device>& device = nullptr);

/// The kernels of a table and how they will be kept: what make_training_input() begins with.
std::pair<TrainingTable, BankPlan> plan_training_input(Table table, const TablePlan& plan);

/// Everything is fitted on the rows of this table. When the watch stops it, the kernels are there but none is computed:
/// what is trained then is a constant.
TrainingInput make_training_input(Table table, Target target, const TablePlan& plan);

}  // namespace spicymkl
