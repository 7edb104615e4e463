#include "working_set.hpp"

#include <algorithm>

#include "active_kernels.hpp"
#include "methods.hpp"
#include "recover.hpp"

namespace spicymkl {

namespace {

constexpr Index kFirstSize = 40;         // kernels of the first round; few solutions of block1 need many more
constexpr double kLikeSmoother = 0.05;   // relative gap to which a smoother loss is solved
constexpr double kNear = 0.7;            // of the threshold: from a good start, kernels below it stay out
constexpr Index kFew = 10;               // that enter at a time where the bank has no room for more
constexpr double kInnerTolerance = 0.3;  // part of the tolerance that a round may use up, the rest is for the violators
constexpr double kLooseTolerance = 0.03;  // part of the gap that a round may leave while the set still grows fast

/// The bank, of so many kernels, has no room for many more of them than the set has.
bool is_full(const KernelSubsets& subsets, Index n_kernels, Index size) {
  return subsets.quick_size < n_kernels && size + kFirstSize > subsets.quick_size;
}

/// The set may double, as long as the bank can hold it.
Index most_entering(const KernelSubsets& subsets, Index size) {
  return std::max(kFew, std::min(std::max(kFirstSize, size), subsets.quick_size - size));
}

/// How well a round is solved: the next when the set no longer grows fast, the last when there is no violator and yet
/// the gap is too large.
enum class Rigour {
  loose,   ///< the set is far from complete, and so is what can be learnt from it
  close,   ///< to a part of the tolerance, as far as is known without proof
  proved,  ///< the same with bounds that are proved
};

Settings settings_of_round(const Settings& settings, Rigour rigour, double gap) {
  Settings inner = settings;
  inner.tol = kInnerTolerance * settings.tol;
  if (rigour == Rigour::loose) inner.tol = std::max(inner.tol, kLooseTolerance * gap);
  inner.callback = nullptr;
  return inner;
}

/// Solves over the kernels of the set alone. The result speaks of kernels by their number in the whole bank.
Result solve_within(const ActiveKernels& set, const std::vector<Method>& methods, const Problem& part,
                    const Settings& settings, WarmStart start, bool proves) {
  Settings inner = settings;
  if (settings.checkpoint)
    inner.checkpoint = [&](const Snapshot& state) { settings.checkpoint([&] { return set.to_global(state()); }); };
  return set.to_global(run_methods(methods, part, inner, set.to_local(std::move(start)), proves));
}

Result solve_working_set(const Plan& plan, const Problem& problem, const Settings& settings,
                         const WarmStart& warm_start, const Role& role) {
  Run run(problem, settings, role);
  Screening screening(problem, plan.screening);
  const Problem::Constant constant = problem.best_constant();
  Expansion expansion = first_model(problem, warm_start);
  DualBound bound = run.bound_by(warm_start.empty() ? constant.dual : warm_start.dual, screening);

  const KernelSubsets subsets = problem.bank().subsets();
  ActiveKernels set(problem.n_kernels());
  set.add(warm_start.kernels);
  WarmStart state = warm_start;
  const Snapshot snapshot = [&] { return state; };
  run.record({.primal = primal_value(problem, expansion).value, .n_active = std::ssize(expansion.kernels)}, snapshot);
  if (run.gap() <= settings.tol) run.offer(expansion);
  // With a smooth dual many kernels are active, and the scaled starting point already tells roughly which.
  const bool smooth = problem.regularizer().has_smooth_dual();
  const double threshold = problem.regularizer().threshold();
  std::vector<Index> entering =
      smooth ? set.largest_outside(bound.scale() * bound.norms(), threshold, problem.n_kernels())
             : set.largest_outside(bound.norms(), warm_start.kernels.empty() ? 0 : kNear * threshold,
                                   std::min(kFirstSize, most_entering(subsets, set.size())));
  if (set.size() == 0 && entering.empty()) entering = set.largest_outside(bound.norms(), 0, kFirstSize);
  std::shared_ptr<const KernelBank> bank;  // of the working set
  Rigour rigour = Rigour::loose;
  Stages inside;
  run.remember(warm_start);
  run.repeat([&] {
    set.add(entering);
    bank = subsets.of(set.kernels());
    const Problem over_set = problem.with(bank, problem.shared_regularizer());
    const std::vector<Method> methods = methods_that_pay(plan.methods, outline_of(over_set, true));
    Result part = solve_within(set, methods, over_set, settings_of_round(settings, rigour, run.gap()), std::move(state),
                               rigour == Rigour::proved);
    expansion = std::move(part.expansion);
    state = std::move(part.warm_start);
    run.timers += part.timers;
    add(part.stages, inside);
    run.remember(expansion, part.certificate.primal_value());

    bound = run.bound_by(part.certificate.dual, screening);
    screening.update(bound, part.certificate.primal);
    run.record({0, part.newton_steps, part.certificate.primal, std::ssize(expansion.kernels)}, snapshot);
    if (run.gap() <= settings.tol) run.offer(expansion);
    if (is_full(subsets, problem.n_kernels(), set.size())) {
      set.keep_only(expansion.kernels);
      set.add(state.kernels);  // to start from, mostly the same
    }
    const Index most = most_entering(subsets, set.size());
    entering = set.largest_outside(bound.norms(), threshold, most);
    const bool growing_fast = std::ssize(entering) == most;
    if (rigour == Rigour::loose && !growing_fast) rigour = Rigour::close;
    else if (entering.empty() && rigour == Rigour::close) rigour = Rigour::proved;
    else if (entering.empty() && run.running()) run.give_up(part.message);
  });
  run.conclude([&] { run.offer(expansion); });
  Result result = run.finish(std::move(state));
  result.stages = {{kWorkingSet, result.timers.total - seconds(inside), result.iterations}};
  add(inside, result.stages);
  return result;
}

/// Where to begin with a loss that has a smoother one beside it: from the solution of that one, roughly.
WarmStart start_from_smoother(const Plan& plan, const Problem& problem, const Settings& settings,
                              std::shared_ptr<const Loss> smoother) {
  Settings rough = settings;
  rough.tol = std::max(settings.tol, kLikeSmoother);
  rough.callback = nullptr;
  rough.checkpoint = nullptr;
  return solve_over_kernels(plan, problem.with_loss(std::move(smoother)), rough, {}, {}).warm_start;
}

}  // namespace

Result solve_over_kernels(const Plan& plan, const Problem& problem, const Settings& settings, const WarmStart& start,
                          const Role& role) {
  if (start.empty() && !settings.watch.stop_requested())
    if (std::shared_ptr<const Loss> smoother = problem.loss().smoother())
      if (const WarmStart from = start_from_smoother(plan, problem, settings, std::move(smoother)); !from.empty())
        return solve_over_kernels(plan, problem, settings, from, role);
  if (!plan.working_set) return run_methods(plan.methods, problem, settings, start, role.proves);
  return unless_stopped(problem, settings, start,
                        [&] { return solve_working_set(plan, problem, settings, start, role); });
}

}  // namespace spicymkl
