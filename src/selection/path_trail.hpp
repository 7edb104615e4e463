// Where the next point of a path may start: further along the line on which the last two points lie.
#pragma once

#include "spicymkl/solver/result.hpp"

namespace spicymkl {

/// The last two points of a path of decreasing alphas.
class PathTrail {
 public:
  void add(double alpha, WarmStart end);
  const WarmStart& last() const { return last_.end; }
  WarmStart take_last() { return std::move(last_.end); }

  /// A start for `next`, the problem of the path at `alpha`. Coefficients go on in log alpha as they did between the
  /// last two points, and ρ is what the samples answer to the predictions that follow: one reading of the active
  /// kernels, which saves about half of the Newton steps. Where there is no such line, the last point.
  WarmStart start_for(const Problem& next, double alpha) const;

 private:
  struct Point {
    double alpha = 0;
    WarmStart end;
  };
  Point before_, last_;
};

}  // namespace spicymkl
