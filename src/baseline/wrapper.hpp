// The loop that the wrapper methods share: an SVM for given weights, then other weights.
#pragma once

#include <memory>
#include <optional>

#include "objective.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// What one method does with the weights.
class WeightUpdate {
 public:
  explicit WeightUpdate(WeightObjective& objective) : objective_(objective) {}
  virtual ~WeightUpdate() = default;
  /// The next point, or nothing if the method sees no better one. `squared_norms` are those of `point`, which is the
  /// last one returned.
  virtual std::optional<WeightPoint> next(const WeightPoint& point, const Vector& squared_norms) = 0;

 protected:
  WeightObjective& objective_;
};

/// Each method is one file. `settings` tell whether a stop was asked for.
std::unique_ptr<WeightUpdate> make_silp(WeightObjective& objective, const Settings& settings);
std::unique_ptr<WeightUpdate> make_simplemkl(WeightObjective& objective, const Settings& settings);
std::unique_ptr<WeightUpdate> make_levelmkl(WeightObjective& objective, const Settings& settings);
std::unique_ptr<WeightUpdate> make_hessianmkl(WeightObjective& objective, const Settings& settings);

/// Weights without what rounding has left of those that are 0, with sum 1.
Vector on_simplex(Vector weights);

}  // namespace spicymkl
