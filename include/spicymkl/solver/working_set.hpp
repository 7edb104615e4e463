// A working set of kernels around the solvers: solve over few kernels, look at all, add the violators, repeat.
#pragma once

#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// True when solutions are sparse and there are enough kernels for most of them never to be touched.
bool worth_a_working_set(const Problem& problem);

/// Goes beyond the paper, whose loop reads every kernel at every Newton step: here all kernels are read once a round,
/// to prove the bound and to find those whose ‖ρ‖_Km exceeds the threshold, and a handful of rounds is enough. The
/// answer is that of the whole problem: the certificate is taken over all kernels.
Result solve_working_set(const Problem& problem, const Settings& settings, const WarmStart& warm_start = {});

}  // namespace spicymkl
