#include "candidate_path.hpp"

#include <algorithm>

#include "core/stopwatch.hpp"
#include "path_trail.hpp"
#include "solver/driver.hpp"
#include "solver/outer/active_kernels.hpp"
#include "spicymkl/solver/solve.hpp"

namespace spicymkl {

namespace {

constexpr Index kBlock = 16;             // neighbouring points that are solved and certified together
constexpr Index kSpare = 10;             // candidates beside the active kernels: those nearest to being active
constexpr Index kEntering = 10;          // violators that a point may add at a time
constexpr double kInnerTolerance = 0.3;  // part of the tolerance that solving over the candidates may use up
constexpr int kMostRounds = 8;           // before a point is handed to the solver of the whole problem

/// A point of the block that is being solved. Kernels are numbered as in the whole bank.
struct Pending {
  double alpha;
  Problem problem;  // on the kernels that certificates are taken on
  WarmStart start;
  Result result;
  Vector norms;  // ‖ρ‖ in every kernel, at the last bound
  bool done = false;
};

class CandidatePath final : public PathMethod {
 public:
  CandidatePath(const Problem& problem, const RegularizerFamily& family, const Settings& settings,
                std::shared_ptr<const KernelBank> exact)
      : problem_(problem),
        truth_(exact ? problem.with(exact, problem.shared_regularizer()) : problem),
        family_(family),
        settings_(settings),
        exact_(std::move(exact)),
        candidates_(problem.n_kernels()),
        norms_(problem.constant_forms().cwiseSqrt()) {}

  Index stride() const override { return kBlock; }

  /// `points` are those that were done, up to the first that was not.
  bool solve(const std::vector<double>& alphas, std::vector<PathPoint>& points) override {
    std::vector<Pending> block;
    for (const double alpha : alphas) block.push_back({alpha, truth_.with(family_(alpha)), {}, {}, {}, false});
    bool all = true;
    try {
      refresh_candidates();
      // The last point first: it finds the candidates that those before it need as well.
      std::vector<Pending*> others;
      for (std::size_t p = 0; p + 1 < block.size(); ++p) others.push_back(&block[p]);
      all = settle({&block.back()}) && settle(std::move(others));
    } catch (const Stopped&) {
      all = false;
    }
    for (Pending& point : block) {
      if (!point.done) break;
      point.result.history.clear();
      points.push_back({point.alpha, std::move(point.result)});
    }
    if (!all) return false;
    for (const std::size_t behind : {2, 1})
      if (behind <= block.size()) {
        Pending& point = block[block.size() - behind];
        trail_.add(point.alpha, std::move(point.start));
      }
    norms_ = std::move(block.back().norms);
    return true;
  }

  WarmStart take_warm_start() override { return trail_.take_last(); }

 private:
  /// The kernels in use and those nearest to it, by what the last point said of all kernels.
  void refresh_candidates() {
    candidates_.keep_only(trail_.last().kernels);
    candidates_.add(candidates_.largest_outside(norms_, 0, kSpare));
    subsets_ = problem_.bank().subsets();
    bank_ = subsets_.of(candidates_.kernels());
  }

  /// Solves and certifies, with more and more candidates, until all of these points are done.
  bool settle(std::vector<Pending*> open) {
    for (int round = 1; !open.empty(); ++round) {
      if (!solve_candidates(open) || !certify_all(open, round == kMostRounds)) return false;
      std::erase_if(open, [](const Pending* point) { return point->done; });
    }
    return true;
  }

  /// Solves over the candidates: in the first round each point from those before, later each from its own last answer.
  bool solve_candidates(const std::vector<Pending*>& open) {
    Settings inner = settings_;
    inner.tol *= kInnerTolerance;
    PathTrail trail = trail_;
    WatchedTask task(settings_.watch, "solving points", std::ssize(open));
    for (Pending* point : open) {
      if (point->start.empty())
        point->start = trail.start_for(problem_.with(point->problem.shared_regularizer()), point->alpha);
      Result result = solve_within(point->problem, inner, point->start);
      if (result.status == Status::interrupted) return false;
      point->start = std::move(result.warm_start);
      keep(std::move(result), point->result);
      trail.add(point->alpha, point->start);
      task.advance();
    }
    return true;
  }

  /// One point over the candidates, as far as is known without proof: certify_all gives it.
  Result solve_within(const Problem& point, const Settings& settings, const WarmStart& start) {
    const Problem over_candidates = problem_.with(bank_, point.shared_regularizer());
    Plan plan = choose(over_candidates, settings, !start.empty());
    plan.working_set = false;
    return candidates_.to_global(
        solve_as(plan, over_candidates, settings, candidates_.to_local(start), {.proves = false}));
  }

  /// The newer result with the work of both.
  static void keep(Result newer, Result& kept) {
    newer.newton_steps += kept.newton_steps;
    newer.iterations += kept.iterations;
    newer.timers += kept.timers;
    add(newer.stages, kept.stages);
    newer.stages = std::move(kept.stages);
    kept = std::move(newer);
  }

  /// Certificates over all kernels; what a point lacks is added to the candidates.
  bool certify_all(const std::vector<Pending*>& open, bool last_round) {
    const Stopwatch clock;
    std::vector<Problem> problems;
    Matrix duals(problem_.n_samples(), std::ssize(open));
    for (Index p = 0; p < duals.cols(); ++p) {
      problems.push_back(open[p]->problem);
      duals.col(p) = open[p]->result.certificate.dual;
    }
    const std::vector<DualBound> bounds = dual_bounds(problems, duals);
    std::vector<Index> entering;
    std::vector<Pending*> hopeless;
    for (std::size_t p = 0; p < open.size(); ++p) {
      Pending& point = *open[p];
      point.norms = bounds[p].norms();
      point.result.certificate = certify(point.problem, point.result.expansion, bounds[p]);
      point.result.timers.passes += clock.seconds() / static_cast<double>(open.size());
      point.done = point.result.certificate.relative_gap <= settings_.tol;
      if (point.done) continue;
      const double threshold = point.problem.regularizer().threshold();
      const auto missing = candidates_.largest_outside(point.norms, threshold, kEntering);
      entering.insert(entering.end(), missing.begin(), missing.end());
      if (missing.empty() || last_round) hopeless.push_back(&point);
    }
    for (Pending* point : hopeless)
      if (!solve_alone(*point)) return false;
    if (entering.empty()) return true;
    candidates_.add(entering);
    bank_ = subsets_.of(candidates_.kernels());
    return true;
  }

  /// A point that the candidates do not lead to: the solver of the whole problem decides what becomes of it.
  bool solve_alone(Pending& point) {
    Result result = solve_on_exact(problem_.with(point.problem.shared_regularizer()), exact_, settings_, point.start);
    if (result.status == Status::interrupted) return false;
    point.start = std::move(result.warm_start);
    candidates_.add(point.start.kernels);
    keep(std::move(result), point.result);
    point.done = true;
    return true;
  }

  const Problem& problem_;
  Problem truth_;
  const RegularizerFamily& family_;
  const Settings& settings_;
  std::shared_ptr<const KernelBank> exact_;
  ActiveKernels candidates_;
  KernelSubsets subsets_;
  std::shared_ptr<const KernelBank> bank_;  // of the candidates
  PathTrail trail_;                         // of the blocks that are done
  Vector norms_;                            // of the last dual vector in every kernel
};

}  // namespace

bool worth_candidates(const Problem& problem, const Settings& settings) {
  // With a smooth dual a large part of the kernels is active: a handful of candidates would not do.
  return !settings.registered && choose(problem, settings, true).working_set &&
         !problem.regularizer().has_smooth_dual();
}

std::unique_ptr<PathMethod> make_candidate_path(const Problem& problem, const RegularizerFamily& family,
                                                const Settings& settings, std::shared_ptr<const KernelBank> exact) {
  return std::make_unique<CandidatePath>(problem, family, settings, std::move(exact));
}

}  // namespace spicymkl
