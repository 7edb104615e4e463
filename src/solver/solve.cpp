#include "spicymkl/solver/solve.hpp"

#include <fmt/format.h>

#include "spicymkl/core/error.hpp"
#include "spicymkl/solver/onestep.hpp"
#include "spicymkl/solver/spicy.hpp"
#include "spicymkl/solver/working_set.hpp"

namespace spicymkl {

Result solve(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
  const bool smooth = problem.regularizer().has_smooth_dual();
  if (settings.solver == SolverKind::onestep && !smooth)
    throw InputError(fmt::format("solver onestep needs a regulariser with a smooth dual, which {} has not; use solver spicy",
                                 problem.regularizer().name()));
  if (settings.solver == SolverKind::automatic && settings.working_set && worth_a_working_set(problem))
    return solve_working_set(problem, settings, warm_start);
  const bool onestep = settings.solver == SolverKind::onestep || (settings.solver == SolverKind::automatic && smooth);
  return onestep ? solve_onestep(problem, settings, warm_start) : solve_spicy(problem, settings, warm_start);
}

}  // namespace spicymkl
