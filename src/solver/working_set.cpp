#include "spicymkl/solver/working_set.hpp"

#include <algorithm>

#include "spicymkl/solver/recover.hpp"
#include "spicymkl/solver/run.hpp"
#include "spicymkl/solver/solve.hpp"

namespace spicymkl {

namespace {

constexpr Index kFirstSize = 40;         // kernels of the first round; few solutions of block1 need many more
constexpr Index kFew = 10;               // that enter at a time where the bank has no room for more
constexpr double kInnerTolerance = 0.3;  // part of the tolerance that a round may use up, the rest is for the violators
constexpr double kLooseTolerance = 0.03;  // part of the gap that a round may leave while the set still grows fast

/// A warm start with kernels renumbered.
WarmStart renumbered(WarmStart start, const std::vector<Index>& number) {
  for (Index& kernel : start.kernels) kernel = number[static_cast<std::size_t>(kernel)];
  start.model.reset();  // it belongs to the run around this one
  return start;
}

/// The kernels solved over, in the order they entered.
class WorkingSet {
 public:
  explicit WorkingSet(Index n_kernels) : position_(static_cast<std::size_t>(n_kernels), -1) {}

  void add(const std::vector<Index>& kernels) {
    for (const Index m : kernels) {
      if (contains(m)) continue;
      position_[static_cast<std::size_t>(m)] = size();
      kernels_.push_back(m);
    }
  }
  /// Forgets all but the kernels of a model and of the state to go on from, which are mostly the same.
  void keep_only(const std::vector<Index>& of_model, const std::vector<Index>& of_state) {
    *this = WorkingSet(static_cast<Index>(position_.size()));
    add(of_model);
    add(of_state);
  }
  bool contains(Index kernel) const { return position_[static_cast<std::size_t>(kernel)] >= 0; }
  Index size() const { return static_cast<Index>(kernels_.size()); }
  const std::vector<Index>& kernels() const { return kernels_; }
  WarmStart to_local(WarmStart start) const { return renumbered(std::move(start), position_); }
  WarmStart to_global(WarmStart start) const { return renumbered(std::move(start), kernels_); }

 private:
  std::vector<Index> kernels_;
  std::vector<Index> position_;  // of a kernel in kernels_, −1 outside
};

/// The kernels outside the set with the largest norms above `threshold`, at most `count` of them.
std::vector<Index> largest_outside(const Vector& norms, double threshold, const WorkingSet& set, Index count) {
  std::vector<Index> candidates;
  for (Index m = 0; m < norms.size(); ++m)
    if (norms(m) > threshold && !set.contains(m)) candidates.push_back(m);
  const auto keep = std::min(count, static_cast<Index>(candidates.size()));
  std::partial_sort(candidates.begin(), candidates.begin() + keep, candidates.end(),
                    [&](Index a, Index b) { return norms(a) > norms(b) || (norms(a) == norms(b) && a < b); });
  candidates.resize(static_cast<std::size_t>(keep));
  return candidates;
}

/// The bank has no room for many more kernels than the set has.
bool is_full(const KernelBank& bank, Index size) {
  return bank.quick_subset() < bank.n_kernels() && size + kFirstSize > bank.quick_subset();
}

/// The set may double, as long as the bank can hold it.
Index most_entering(const KernelBank& bank, Index size) {
  return std::max(kFew, std::min(std::max(kFirstSize, size), bank.quick_subset() - size));
}

/// How well a round is solved: the next when the set no longer grows fast, the last when there is no violator and yet
/// the gap is too large.
enum class Rigour {
  loose,   ///< the set is far from complete, and so is what can be learnt from it
  close,   ///< to a part of the tolerance, as far as can be told without proof
  proved,  ///< the same with bounds that are proved
};

Settings settings_of_round(const Settings& settings, Rigour rigour, double gap) {
  Settings inner = settings;
  inner.tol = kInnerTolerance * settings.tol;
  if (rigour == Rigour::loose) inner.tol = std::max(inner.tol, kLooseTolerance * gap);
  inner.prove = rigour == Rigour::proved;
  inner.working_set = false;
  inner.callback = nullptr;
  return inner;
}

/// Solves over the kernels of the set alone. The result speaks of kernels by their number in the whole bank.
Result solve_within(const WorkingSet& set, std::shared_ptr<const KernelBank> bank, const Problem& problem,
                    const Settings& settings, WarmStart start) {
  Settings inner = settings;
  if (settings.checkpoint)
    inner.checkpoint = [&](const Snapshot& part) { settings.checkpoint([&] { return set.to_global(part()); }); };
  Result part =
      solve(problem.with(std::move(bank), problem.shared_regularizer()), inner, set.to_local(std::move(start)));
  for (Index& kernel : part.expansion.kernels) kernel = set.kernels()[static_cast<std::size_t>(kernel)];
  part.warm_start = set.to_global(std::move(part.warm_start));
  return part;
}

}  // namespace

bool worth_a_working_set(const Problem& problem) {
  return problem.regularizer().threshold() > 0 && problem.n_kernels() > 2 * kFirstSize;
}

Result solve_working_set(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
  Run run(problem, settings);
  Screening screening(problem, settings.screening);
  const Problem::Constant constant = problem.best_constant();
  Expansion expansion = first_model(problem, warm_start);
  DualBound bound = run.bound_by(warm_start.empty() ? constant.dual : warm_start.dual, screening);

  WorkingSet set(problem.n_kernels());
  set.add(warm_start.kernels);
  WarmStart state = warm_start;
  const Snapshot snapshot = [&] { return state; };
  run.record(
      {.primal = primal_value(problem, expansion).value, .n_active = static_cast<Index>(expansion.kernels.size())},
      snapshot);
  if (run.gap() <= settings.tol) run.offer(expansion);
  // With a smooth dual many kernels are active, and the scaled starting point already tells roughly which.
  const bool smooth = problem.regularizer().has_smooth_dual();
  const double threshold = problem.regularizer().threshold();
  std::vector<Index> entering =
      smooth ? largest_outside(bound.scale() * bound.norms(), threshold, set, problem.n_kernels())
             : largest_outside(bound.norms(), 0, set, std::min(kFirstSize, most_entering(problem.bank(), set.size())));
  if (set.size() == 0 && entering.empty()) entering = largest_outside(bound.norms(), 0, set, kFirstSize);
  std::shared_ptr<const KernelBank> bank;  // of the working set
  Rigour rigour = Rigour::loose;
  run.remember(warm_start);
  run.repeat([&] {
    set.add(entering);
    bank = problem.bank().subset(set.kernels(), bank.get());
    Result part = solve_within(set, bank, problem, settings_of_round(settings, rigour, run.gap()), std::move(state));
    expansion = std::move(part.expansion);
    state = std::move(part.warm_start);
    run.add_times(part.timers);
    run.remember(expansion, {part.certificate.primal, part.certificate.norms, part.certificate.predictions});

    bound = run.bound_by(part.certificate.dual, screening);
    screening.update(bound, part.certificate.primal);
    run.record({0, part.newton_steps, part.certificate.primal, static_cast<Index>(expansion.kernels.size())}, snapshot);
    if (run.gap() <= settings.tol) run.offer(expansion);
    if (is_full(problem.bank(), set.size())) set.keep_only(expansion.kernels, state.kernels);
    const Index most = most_entering(problem.bank(), set.size());
    entering = largest_outside(bound.norms(), threshold, set, most);
    const bool growing_fast = static_cast<Index>(entering.size()) == most;
    if (rigour == Rigour::loose && !growing_fast) rigour = Rigour::close;
    else if (entering.empty() && rigour == Rigour::close) rigour = Rigour::proved;
    else if (entering.empty() && run.going_on()) run.give_up(part.message);
  });
  run.conclude([&] { run.offer(expansion); });
  return run.finish(std::move(state));
}

}  // namespace spicymkl
