#include "spicymkl/solver/strategy.hpp"

#include <algorithm>

namespace spicymkl {

namespace {

bool worth_a_working_set(const ProblemOutline& problem) {
  return problem.selects && working_set_seconds(problem) < method_seconds(problem);
}

bool worth_newton_on_weights(const ProblemOutline& problem) {
  return problem.allows_newton_on_weights() && newton_on_weights_seconds(problem) < newton_on_samples_seconds(problem);
}

/// Directions of all kernels in use are solved for together: quick where a factorisation is what a system costs. With
/// few samples it is not, unless all kernels are matrices or a system of several outputs takes much longer than to
/// solve with it; where all are wide factors, each direction takes conjugate gradients over these.
bool worth_kkt(const ProblemOutline& problem) {
  constexpr double kAllMatrices = 0.99;
  constexpr Index kManySamples = 500;
  if (!problem.allows_kkt() || !has_room_for_kkt(problem)) return false;
  const bool all_matrices = problem.mean_rank > kAllMatrices * static_cast<double>(problem.n_samples);
  if (problem.n_outputs > 1 || all_matrices) return true;
  return problem.n_samples >= kManySamples && (problem.matrices || problem.narrow());
}

/// A sample of the kernels, as a start for all of them, where ρ depends on them through a sum.
bool worth_a_kernel_sample(const ProblemOutline& problem) {
  const double whole = newton_on_samples_seconds(problem);
  return problem.smooth_dual && kernel_sample_seconds(problem) + left_after_kernel_sample(problem) * whole < whole;
}

/// Kinks cost Newton's method many steps. Where pairs of dual values cannot be moved instead, in a working set or
/// without, or systems are of the size of the ranks, which a smooth loss makes well conditioned, it pays to do without
/// them.
bool worth_smoothing(const ProblemOutline& problem) {
  constexpr Index kFewSamples = 1000;  // whose systems are solved in no time
  if (!problem.smoothable || problem.columns || worth_newton_on_weights(problem.inside_working_set())) return false;
  return (!problem.set_columns && problem.n_samples > kFewSamples) ||
         2 * problem.mean_rank < static_cast<double>(problem.n_samples);
}

/// The best method for these kernels, and those that take over from it.
std::vector<Method> methods_for(const ProblemOutline& problem) {
  std::vector<Method> methods;
  if (worth_newton_on_weights(problem)) methods.push_back(Method::weights);
  if (problem.smooth_dual) methods.push_back(Method::onestep);
  else if (methods.empty() && worth_kkt(problem)) methods.push_back(Method::kkt);
  methods.push_back(Method::spicy);  // where G* is smooth in name only, small proximal steps still get on
  return methods;
}

/// What the methods meet. A bank without columns may have them in the form that it keeps the few kernels of a working
/// set in; should it have no room for that, the round does without such methods.
ProblemOutline inside(bool working_set, const ProblemOutline& problem) {
  if (!working_set) return problem;
  ProblemOutline few = problem.inside_working_set();
  few.columns = problem.set_columns;
  return few;
}

}  // namespace

std::string_view to_string(Method method) {
  switch (method) {
    case Method::spicy:
      return "spicy";
    case Method::onestep:
      return "onestep";
    case Method::weights:
      return "weights";
    case Method::kkt:
      return "kkt";
  }
  return "unknown";
}

bool worth_a_part(const ProblemOutline& problem) {
  const double whole = kernels_seconds(problem);
  return part_seconds(problem) + left_after_part(problem) * whole < whole;
}

Plan choose(const ProblemOutline& problem, SolverKind solver) {
  if (solver == SolverKind::onestep) return {.methods = {Method::onestep}};
  Plan plan;
  if (solver != SolverKind::automatic) return plan;
  if (worth_smoothing(problem)) {
    ProblemOutline smooth = problem;
    smooth.smoothable = smooth.svm_dual = false;
    smooth.smooth_loss = true;
    plan = choose(smooth, solver);
    plan.smoothing = true;
    return plan;
  }
  plan.part_of_samples = !problem.warm && worth_a_part(problem);
  const ProblemOutline whole = plan.part_of_samples ? problem.from_a_start() : problem;
  plan.working_set = worth_a_working_set(whole);
  plan.methods = methods_for(inside(plan.working_set, whole));
  plan.part_of_kernels = !whole.warm && plan.methods.front() == Method::onestep && worth_a_kernel_sample(problem);
  return plan;
}

Plan choose(const Problem& problem, const Settings& settings, bool warm) {
  return choose(outline_of(problem, warm), settings.solver);
}

Plan plan_for_part(const Plan& plan, const ProblemOutline& part) {
  Plan within = plan;
  within.part_of_samples = false;
  within.working_set = plan.working_set && worth_a_working_set(part);
  within.methods = methods_that_pay(plan.methods, inside(within.working_set, part));
  return within;
}

std::vector<Method> methods_that_pay(std::vector<Method> methods, const ProblemOutline& problem) {
  if (methods.size() > 1 && !worth_newton_on_weights(problem)) std::erase(methods, Method::weights);
  const bool kkt_pays = problem.allows_kkt() && has_room_for_kkt(problem);  // the set may have grown
  if (methods.size() > 1 && !kkt_pays) std::erase(methods, Method::kkt);
  return methods;
}

Stages expected_stages(const Plan& plan, const ProblemOutline& problem) {
  Stages stages;
  double left = 1;
  if (plan.smoothing) stages.push_back({kSmoothing, pass_seconds(problem)});
  if (plan.part_of_samples) {
    stages.push_back({kPartOfSamples, part_seconds(problem)});
    left = left_after_part(problem);
  }
  if (plan.part_of_kernels) {
    stages.push_back({kPartOfKernels, kernel_sample_seconds(problem)});
    left = left_after_kernel_sample(problem);
  }
  ProblemOutline kernels = plan.part_of_samples ? problem.from_a_start() : problem;
  if (plan.working_set) {
    stages.push_back({kWorkingSet, left * rounds_seconds(problem)});
    kernels = kernels.inside_working_set();
  }
  const Method method = plan.methods.front();
  const double seconds =
      method == Method::weights ? newton_on_weights_seconds(kernels) : newton_on_samples_seconds(kernels);
  stages.push_back({std::string(to_string(method)), left * seconds});
  return stages;
}

}  // namespace spicymkl
