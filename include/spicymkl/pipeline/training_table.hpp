// From a table to fitted kernels.
#pragma once

#include <cstdint>

#include "spicymkl/bank/bank_plan.hpp"
#include "spicymkl/io/imputer.hpp"
#include "spicymkl/kernel/groups.hpp"
#include "spicymkl/model/preparation.hpp"

namespace spicymkl {

/// What the user says of kernels.
struct KernelChoice {
  std::string spec = "auto";  ///< a preset or a JSON file
  std::string groups;         ///< a file of column groups, or empty
  bool standardize = true;
  std::uint64_t seed = 0;
  FeatureChoice features = {};
  BankOptions bank = {};                     ///< what `auto` may cost
  std::vector<std::string> covariates = {};  ///< columns that no kernel sees: they enter linearly, without a penalty
};

struct TrainingTable {
  std::string target_name;
  Preparation preparation;
  std::shared_ptr<const Samples> samples;  ///< prepared; a model that keeps them all shares them
  std::vector<FittedKernel> kernels;
  std::vector<KernelOutline> outlines;  ///< of the kernels, with guessed ranks
  GroupSummary groups;
  std::vector<std::string> remarks;  ///< what the user should know of the kernels, a sentence each
};

/// Imputation, standardisation and normalisation are all fitted on the rows of this table. Messages of InputErrors
/// begin with the file's name. threads = 0: all cores. Where the watch stops it, the kernels are those that were fitted
/// by then; Stopped if there is none.
TrainingTable make_training_table(Table table, const std::optional<ImputeMethod>& impute, const KernelChoice& choice,
                                  int threads, const Watch& watch = {});

/// The covariates of its rows.
Covariates covariates_of(const TrainingTable& training);

/// Fits kernels; an InputError begins with `source`. Throws Stopped when the watch says so.
std::vector<FittedKernel> fit_kernels(std::vector<KernelSpec> specs, const Samples& samples, const std::string& source,
                                      int threads, const Watch& watch = {});

}  // namespace spicymkl
