// A path as CSV, JSON and text.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/selection/path.hpp"

namespace spicymkl::cli {

struct PathTable {
  std::vector<std::string> kernel_names;  ///< of all kernels
  std::vector<FitPath> paths;             ///< one per class or target that has a fit of its own, else one
  std::vector<std::string> outputs;       ///< classes or targets that are learned at once; none: each has a path
  double seconds = 0;

  bool several() const { return paths.size() > 1; }
  bool empty() const { return paths.empty() || paths.front().fits.empty(); }
  Index n_points() const;
  bool complete() const;
  /// Complete, and every point met the tolerance.
  bool converged() const;
  /// Kernels that are active at some point of some path, in order.
  std::vector<Index> ever_active() const;
};

/// Weights of all kernels in `kernels` at one point, 0 where a kernel is not active.
std::vector<double> weights_of(const Fit& fit, const std::vector<Index>& kernels);

/// One row per point: class or target (where each has a path), alpha, alpha_ratio, status, relative_gap, primal,
/// dual_objective, n_active, intercept (intercept_OUTPUT of several at once), seconds, then weight_NAME of every kernel
/// that is ever active.
std::string path_csv(const PathTable& table);
std::string path_json(const PathTable& table);
std::string path_text(const PathTable& table);

}  // namespace spicymkl::cli
