#include "methods.hpp"

#include "continuation.hpp"
#include "kkt.hpp"
#include "onestep.hpp"
#include "problem/quick_bound.hpp"
#include "recover.hpp"
#include "spicy.hpp"
#include "weights.hpp"

namespace spicymkl {

namespace {

constexpr double kAstray = 0.1;  // relative gap at which a run is stuck because of where it began

using MethodFunction = Result (*)(const Problem&, const Settings&, const WarmStart&, const Role&);

MethodFunction function_of(Method method) {
  switch (method) {
    case Method::onestep:
      return solve_onestep;
    case Method::weights:
      return solve_weights;
    case Method::kkt:
      return solve_kkt;
    case Method::spicy:
      break;
  }
  return solve_spicy;
}

Result run_method(Method method, const Problem& problem, const Settings& settings, const WarmStart& start,
                  const Role& role) {
  Result result =
      unless_stopped(problem, settings, start, [&] { return function_of(method)(problem, settings, start, role); });
  result.stages = {{std::string(to_string(method)), result.timers.total, result.iterations, result.newton_steps}};
  return result;
}

}  // namespace

Result run_methods(const std::vector<Method>& methods, const Problem& problem, const Settings& settings,
                   const WarmStart& start, bool proves) {
  Result result = run_method(methods.front(), problem, settings, start, {proves, methods.size() > 1});
  const WarmStart* from = &start;
  WarmStart reached;
  for (std::size_t k = 1; k < methods.size() && result.status == Status::stalled; ++k) {
    // One step leaves no coefficients, and its ρ is where small proximal steps would not go.
    if (!result.warm_start.kernels.empty()) {
      reached = result.warm_start;
      from = &reached;
    }
    const Role role{proves, k + 1 < methods.size()};
    Result next = run_method(methods[k], problem, settings, *from, role);
    result = continued(std::move(result), std::move(next), settings.tol);
  }
  if (result.status != Status::stalled || result.certificate.relative_gap < kAstray || from->empty()) return result;
  const Method last = methods.back();
  return continued(std::move(result), run_method(last, problem, settings, {}, {proves}), settings.tol);
}

Result stopped_before(const Problem& problem, const Settings& settings, const WarmStart& start) {
  Run run(problem, settings);
  run.interrupt();
  run.remember_constant();
  run.remember(start);
  run.conclude([&] {
    run.bound_by(start.empty() ? problem.best_constant().dual : start.dual);
    if (!start.empty()) run.offer(first_model(problem, start));
  });
  return run.finish(start);
}

}  // namespace spicymkl
