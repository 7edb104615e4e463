#include "driver.hpp"

#include "solver/outer/coarse_start.hpp"
#include "solver/outer/methods.hpp"
#include "solver/outer/smoothing.hpp"
#include "solver/outer/working_set.hpp"

namespace spicymkl {

namespace {

void put_before(const Stage& stage, Result& result) {
  for (Record& record : result.history) record.seconds += stage.seconds;
  result.timers.total += stage.seconds;
  if (stage.iterations > 0) result.stages.insert(result.stages.begin(), stage);
}

/// A start from a part of the samples, then all of them.
Result solve_on_samples(const Plan& plan, const Problem& problem, const Settings& settings, const WarmStart& start,
                        const Role& role) {
  if (!plan.part_of_samples || settings.watch.stop_requested())
    return solve_over_kernels(plan, problem, settings, start, role);
  Stage part{kPartOfSamples};
  WarmStart from_part;
  {
    WatchedTask task(settings.watch, "starting from a part of the rows");
    from_part = coarse_start(plan, problem, settings, part);
  }
  Result result = solve_over_kernels(plan, problem, settings, from_part, role);
  put_before(part, result);
  return result;
}

}  // namespace

Result solve_as(const Plan& plan, const Problem& problem, const Settings& asked, const WarmStart& start,
                const Role& role) {
  check(asked);
  const Settings settings = with_time_limit(asked);
  if (!plan.smoothing) return solve_on_samples(plan, problem, settings, start, role);
  return unless_stopped(problem, settings, start, [&] {
    return solve_smoothed(problem, settings, start, role,
                          [&](const Problem& smooth, const Settings& inner, const WarmStart& from) {
                            Plan next = plan;
                            next.part_of_samples = plan.part_of_samples && from.empty();
                            return solve_on_samples(next, smooth, inner, from, {});
                          });
  });
}

}  // namespace spicymkl
