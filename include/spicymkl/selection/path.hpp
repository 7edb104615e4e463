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
using FitCallback = std::function<bool(const Fit&)>;
FitPath train_path(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const KernelBank> exact,
                   const Target& target, Index number, const TrainingPlan& plan, const AlphaGrid& grid,
                   const FitCallback& callback = {});

}  // namespace spicymkl
