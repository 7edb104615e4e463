// A working set of kernels around the methods: solve over few kernels, look at all, add the violators, repeat.
#pragma once

#include "run.hpp"
#include "spicymkl/solver/strategy.hpp"

namespace spicymkl {

/// By a working set or over all kernels, as the plan says. The working set goes beyond the paper, whose loop reads
/// every kernel at every Newton step: here all kernels are read once per round, to prove the bound and to find those
/// whose ‖ρ‖_Km exceeds the threshold, and a handful of rounds is enough. The answer is that of the whole problem: the
/// certificate is taken over all kernels.
Result solve_over_kernels(const Plan& plan, const Problem& problem, const Settings& settings,
                          const WarmStart& start = {}, const Role& role = {});

}  // namespace spicymkl
