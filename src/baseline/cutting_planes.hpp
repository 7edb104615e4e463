// The model of J by its tangents, and the LP that minimises it.
#pragma once

#include <memory>
#include <vector>

#include "spicymkl/core/types.hpp"

class ClpSimplex;

namespace spicymkl {

/// h(d) = max_i (offset_i + slope_iᵀd) ≤ J(d) on the simplex.
class CuttingPlanes {
 public:
  /// Values are divided by `scale`, about the size of J, inside the LP.
  CuttingPlanes(Index n_weights, double scale);
  ~CuttingPlanes();

  /// A tangent of J: J(d) ≥ offset + slopeᵀd for every d.
  void add(double offset, const Vector& slope);

  struct Minimum {
    double value;  ///< a lower bound on J
    Vector weights;
  };
  /// Solves the LP from the basis of the last one.
  Minimum minimise();

  const std::vector<double>& offsets() const { return offsets_; }
  const std::vector<Vector>& slopes() const { return slopes_; }

 private:
  double scale_;
  std::vector<double> offsets_;
  std::vector<Vector> slopes_;
  std::unique_ptr<ClpSimplex> lp_;
};

}  // namespace spicymkl
