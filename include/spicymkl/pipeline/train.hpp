// One bank, one target: as many fits as it takes.
#pragma once

#include "spicymkl/model/fit.hpp"
#include "spicymkl/pipeline/target.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// Of the strength at which no kernel is selected; docs/kernels.md has the figures behind it.
inline constexpr const char* kDefaultAlpha = "0.03max";

struct TrainingPlan {
  ProblemDescription problem;                      ///< its loss and alpha are replaced by those below and of the target
  MultiClass multi_class = MultiClass::automatic;  ///< for whoever makes the target, as the next one
  MultiOutput multi_output = MultiOutput::joint;
  std::string alpha = kDefaultAlpha;  ///< a number, or a multiple of alpha_max
  Settings settings;
  Vector sample_weights;          ///< empty: all 1
  Vector alpha_weights;           ///< of the samples in alpha_max; empty: the sample weights
  std::vector<WarmStart> starts;  ///< per fit, where to begin; may be empty
  bool keep_ends = false;         ///< where fits ended, also of those that met the tolerance
};

struct TrainedFit {
  Fit fit;
  History history;
  WarmStart end;  ///< where a run that missed the tolerance can resume; else empty, unless the plan keeps it
};

/// One watch, with one deadline, for all that the plan leads to.
void watch_with(const Watch& watch, TrainingPlan& plan);

/// `number`-th fit of `target.n_fits()`, from `start` if there is one. With a relative alpha, each fit has its own.
/// Where the kernels of `bank` are approximations, `exact` holds them exactly and the certificate is taken there; else
/// it is null.
TrainedFit train_fit(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const KernelBank> exact,
                     const Target& target, Index number, const TrainingPlan& plan, const WarmStart& start = {});

/// The problem as this target has it: with its loss, and no intercept where that would mean nothing.
ProblemDescription description_for(const Target& target, ProblemDescription problem);

/// The covariates of the target as its problems have them.
CovariateBasis covariate_basis(const Target& target, const ProblemDescription& description);

/// The problem of a fit, with the alpha that its description names.
Problem make_problem(std::shared_ptr<const KernelBank> bank, const Target& target, Index number,
                     const ProblemDescription& description, const Vector& sample_weights);

/// A number, or a number followed by "max": that multiple of `alpha_max`. Anything else is an InputError.
double resolve_alpha(const std::string& text, double alpha_max);

/// Throws InputError for what can be known to be wrong before any kernel is computed.
void check(const TrainingPlan& plan);

}  // namespace spicymkl
