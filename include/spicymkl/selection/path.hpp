// The regularisation path: one problem at decreasing strengths of its penalty, each solved from the one before.
#pragma once

#include "spicymkl/model/fit.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/selection/alpha_grid.hpp"

namespace spicymkl {

struct PathPoint {
  double alpha = 0;
  Result result;  ///< without history and warm start, which would be large; the path keeps the last warm start
};

/// Sees each point as it is made; false ends the path.
using PathCallback = std::function<bool(const PathPoint&)>;

struct Path {
  double alpha_max = 0;
  std::vector<PathPoint> points;  ///< by decreasing alpha
  bool complete = true;           ///< false: stopped by the caller; the points that were done are there
  WarmStart warm_start;           ///< of the last point
};

struct PathSettings {
  Settings solver;  ///< of each point; its stop_requested ends the path, its callback is not used
  PathCallback callback;
  bool proves = true;  ///< false: points are scored and forgotten, and their gaps may be estimates
};

class PathMethod;

/// A path that is solved a few points at a time, so that whoever looks at them may end it.
class PathWalk {
 public:
  /// As solve_path; the callback of the settings is not used.
  PathWalk(Problem problem, RegularizerFamily family, AlphaGrid grid, const PathSettings& settings,
           std::shared_ptr<const KernelBank> exact = nullptr);
  ~PathWalk();

  /// The next points, `count` at most; fewer where it was stopped.
  std::vector<PathPoint> next(Index count);
  /// All points were there.
  bool finished() const { return n_done_ == std::ssize(grid_.values); }
  bool stopped() const { return stopped_; }
  /// How many points are best solved together.
  Index stride() const;
  double alpha_max() const { return alpha_max_; }
  /// Of the last point.
  WarmStart take_warm_start();

 private:
  Problem problem_;
  RegularizerFamily family_;
  AlphaGrid grid_;
  PathSettings settings_;
  std::unique_ptr<PathMethod> method_;  // null: stopped before there was one
  double alpha_max_ = 0;
  Index n_done_ = 0;
  bool stopped_ = false;
};

/// Solves `problem` at every alpha of the grid, each point certified to the tolerance of the settings. The strength of
/// the problem's own regulariser does not matter. Where the kernels of the problem are approximations, `exact` holds
/// them exactly and certificates are taken there; else it is null. A point that misses the tolerance has a status that
/// says so and does not end the path.
Path solve_path(const Problem& problem, const RegularizerFamily& family, const AlphaGrid& grid,
                const PathSettings& settings, std::shared_ptr<const KernelBank> exact = nullptr);

/// The same for the `number`-th problem of a target, in the words of the command line; the plan's alpha is not used.
struct FitPath {
  double alpha_max = 0;
  std::vector<Fit> fits;  ///< by decreasing alpha
  bool complete = true;
};
/// The paths of all problems of a target side by side, a few points at a time, without proofs.
class TargetWalk {
 public:
  /// As train_path.
  TargetWalk(const std::shared_ptr<const KernelBank>& bank, const std::shared_ptr<const KernelBank>& exact,
             const Target& target, const TrainingPlan& plan, const AlphaGrid& grid);

  /// Of the next points, `count` at most, the fits of every problem; fewer points where it was stopped.
  std::vector<std::vector<Fit>> next(Index count);
  bool finished() const { return walks_.front()->finished(); }
  bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> positive_classes_, target_names_;  // of each fit
  ProblemDescription description_;
  CovariateBasis covariates_;
  std::vector<std::unique_ptr<PathWalk>> walks_;  // one per problem
  bool stopped_ = false;
};

using FitCallback = std::function<bool(const Fit&)>;
FitPath train_path(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const KernelBank> exact,
                   const Target& target, Index number, const TrainingPlan& plan, const AlphaGrid& grid,
                   const FitCallback& callback = {});

}  // namespace spicymkl
