#include "driver.hpp"

#include <algorithm>

#include "solver/outer/coarse_start.hpp"
#include "solver/outer/continuation.hpp"
#include "solver/outer/few_kernels_start.hpp"
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

/// A start from a part of the kernels, then all of them.
Result solve_from_few_kernels(const Plan& plan, const Problem& problem, const Settings& settings, const Role& role) {
  Stage part{kPartOfKernels};
  const WarmStart from_part = start_from_few_kernels(plan, problem, settings, part);
  Result result = solve_over_kernels(plan, problem, settings, from_part, role);
  put_before(part, result);
  return result;
}

/// A start from a part of the samples, then all of them.
Result solve_on_samples(const Plan& plan, const Problem& problem, const Settings& settings, const WarmStart& start,
                        const Role& role) {
  if (plan.part_of_kernels && start.empty() && !settings.watch.stop_requested())
    return solve_from_few_kernels(plan, problem, settings, role);
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

/// With a smooth loss, as far as that is quick: what is left to a smaller gap is little from there.
Result solve_smooth(const Plan& plan, const Problem& problem, const Settings& settings, const WarmStart& start) {
  constexpr double kQuick = 1e-5;
  Settings rough = settings;
  rough.tol = std::max(settings.tol, kQuick);
  return solve_smoothed(problem, rough, start,
                        [&](const Problem& smooth, const Settings& inner, const WarmStart& from) {
                          Plan next = plan;
                          next.part_of_samples = plan.part_of_samples && from.empty();
                          return solve_on_samples(next, smooth, inner, from, {});
                        });
}

}  // namespace

Result solve_as(const Plan& plan, const Problem& problem, const Settings& asked, const WarmStart& start,
                const Role& role) {
  check(asked);
  const Settings settings = with_time_limit(asked);
  if (!plan.smoothing) return solve_on_samples(plan, problem, settings, start, role);
  Result smooth =
      unless_stopped(problem, settings, start, [&] { return solve_smooth(plan, problem, settings, start); });
  if (smooth.status == Status::interrupted || smooth.certificate.relative_gap <= settings.tol) return smooth;
  Plan sharp = plan;
  sharp.part_of_samples = false;
  sharp.methods = methods_that_pay(plan.methods, outline_of(problem, true));
  Result result = solve_on_samples(sharp, problem, settings, smooth.warm_start, role);
  return continued(std::move(smooth), std::move(result), settings.tol);
}

}  // namespace spicymkl
