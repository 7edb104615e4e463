// The way that led to an answer, stage by stage.
#pragma once

#include <string>
#include <vector>

namespace spicymkl {

/// Names of stages beside those of methods and solvers.
inline constexpr const char* kPartOfSamples = "part_of_samples";
inline constexpr const char* kPartOfKernels = "part_of_kernels";
inline constexpr const char* kSmoothing = "smoothing";
inline constexpr const char* kWorkingSet = "working_set";
inline constexpr const char* kExactKernels = "exact_kernels";
inline constexpr const char* kEarlierRun = "earlier_run";

struct Stage {
  std::string name;
  double seconds = 0;  ///< in this stage alone, without those inside it
  int iterations = 0;  ///< outer steps; rounds of a working set
  int newton_steps = 0;
};

using Stages = std::vector<Stage>;

/// One that has run before is continued: a method runs in every round of a working set.
void add(const Stage& stage, Stages& stages);
void add(const Stages& more, Stages& stages);

/// Together.
double seconds(const Stages& stages);

/// "a start from part of the samples, a working set of kernels, the proximal loop"
std::string stages_text(const Stages& stages);

}  // namespace spicymkl
