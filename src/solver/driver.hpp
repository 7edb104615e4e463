// Carries out a plan: a part of the samples or of the kernels, then a working set or all kernels, inside it the
// methods.
#pragma once

#include "solver/outer/run.hpp"
#include "spicymkl/solver/strategy.hpp"

namespace spicymkl {

/// Each layer calls those below it only: driver, coarse_start and few_kernels_start,
/// working_set, methods.
Result solve_as(const Plan& plan, const Problem& problem, const Settings& settings = {}, const WarmStart& start = {},
                const Role& role = {});

}  // namespace spicymkl
