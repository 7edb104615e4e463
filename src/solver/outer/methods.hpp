// The methods behind one interface: each in turn, as long as one gets stuck.
#pragma once

#include "run.hpp"
#include "spicymkl/solver/strategy.hpp"

namespace spicymkl {

/// Solves over all kernels of the problem. A method that gets stuck is followed by the next, from the best model that
/// is known. A stop is a Status. `proves` as in Role.
Result run_methods(const std::vector<Method>& methods, const Problem& problem, const Settings& settings,
                   const WarmStart& start, bool proves = true);

/// What there is to hand back of a run that was stopped before its first step.
Result stopped_before(const Problem& problem, const Settings& settings, const WarmStart& start);

/// `solve()`, unless the watch says stop before or while it begins.
template <class Solve>
Result unless_stopped(const Problem& problem, const Settings& settings, const WarmStart& start, const Solve& solve) {
  if (settings.watch.stop_requested()) return stopped_before(problem, settings, start);
  try {
    return solve();
  } catch (const Stopped&) {
    return stopped_before(problem, settings, start);
  }
}

}  // namespace spicymkl
