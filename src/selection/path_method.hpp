// How the points of a path are solved.
#pragma once

#include "spicymkl/selection/path.hpp"

namespace spicymkl {

/// Goes down a path of decreasing alphas, each solved from those before.
class PathMethod {
 public:
  virtual ~PathMethod() = default;
  /// How many points are best solved together.
  virtual Index stride() const = 0;
  /// Adds the points of the next alphas. When it is to end early it adds those that were done, and is false or throws
  /// Stopped.
  virtual bool solve(const std::vector<double>& alphas, std::vector<PathPoint>& points) = 0;
  /// Of the last point.
  virtual WarmStart take_warm_start() = 0;
};

}  // namespace spicymkl
