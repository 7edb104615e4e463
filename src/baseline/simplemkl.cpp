// SimpleMKL (Rakotomamonjy, Bach, Canu, Grandvalet 2008): reduced gradient on the simplex with a line search.
//
// Departs from the published program in two places, both to its advantage: weights that the direction drives to zero
// are tried in groups that double as long as J falls, not one at a time, and the line search finds the zero of the
// slope of J, which an SVM yields for nothing, in place of golden sections.
#include <algorithm>
#include <cmath>

#include "wrapper.hpp"

namespace spicymkl {

namespace {

constexpr int kMostTrials = 12;      // SVMs of a line search
constexpr double kFlat = 0.1;        // part of the first slope at which a line search ends
constexpr double kNoWeight = 1e-12;  // below it a weight counts as 0

/// Where the search stands: weights and the direction in which they move.
struct Ray {
  Vector weights;
  Vector direction;
  Index pivot;  ///< the largest weight, which makes up for the change of the others

  /// The step at which the first weight becomes 0; no weight falls: 0.
  double longest_step(Index& first) const {
    double step = HUGE_VAL;
    for (Index m = 0; m < weights.size(); ++m)
      if (direction(m) < 0 && -weights(m) / direction(m) < step) {
        step = -weights(m) / direction(m);
        first = m;
      }
    return std::isfinite(step) ? step : 0;
  }

  /// Goes to where the first weight is 0 and leaves it there; false if there is no such place.
  bool drop_first() {
    Index first = -1;
    const double step = longest_step(first);
    if (first < 0 || first == pivot) return false;
    weights += step * direction;
    weights(first) = 0;
    direction(pivot) += direction(first);
    direction(first) = 0;
    return true;
  }
};

class SimpleMkl final : public WeightUpdate {
 public:
  SimpleMkl(WeightObjective& objective, const Settings& settings) : WeightUpdate(objective), settings_(settings) {}

  std::optional<WeightPoint> next(const WeightPoint& point, const Vector& squared_norms) override {
    Ray ray = reduced_gradient(point, squared_norms);
    if (ray.direction.cwiseAbs().maxCoeff() == 0) return std::nullopt;
    WeightPoint best = point;
    drop_weights(ray, best);
    objective_.set_line(ray.weights, ray.direction);
    search_line(ray, best);
    if (best.value >= point.value) return std::nullopt;
    best.weights = on_simplex(std::move(best.weights));
    return best;
  }

 private:
  bool stopped() const { return settings_.watch.stop_requested(); }

  /// Eq. (12) of the SimpleMKL paper.
  Ray reduced_gradient(const WeightPoint& point, const Vector& squared_norms) const {
    const Vector gradient = objective_.gradient(squared_norms);
    Ray ray{point.weights, Vector::Zero(gradient.size()), 0};
    point.weights.maxCoeff(&ray.pivot);
    for (Index m = 0; m < gradient.size(); ++m) {
      const double reduced = gradient(m) - gradient(ray.pivot);
      if (m != ray.pivot && (point.weights(m) > kNoWeight || reduced < 0)) ray.direction(m) = -reduced;
    }
    ray.direction(ray.pivot) = -ray.direction.sum();
    return ray;
  }

  /// Takes away weights along the ray as long as that lowers J.
  void drop_weights(Ray& ray, WeightPoint& best) {
    for (int group = 1; !stopped();) {
      Ray trial = ray;
      int dropped = 0;
      while (dropped < group && trial.drop_first()) ++dropped;
      if (dropped == 0) return;
      WeightPoint point = objective_.at(on_simplex(trial.weights));
      if (point.value < best.value) {
        best = std::move(point);
        ray = std::move(trial);
        ray.weights = best.weights;
        group *= 2;
      } else if (dropped == 1) {
        return;
      } else {
        group = 1;
      }
    }
  }

  /// The zero of the slope of J between 0 and the longest step, by false position (Illinois); J is convex on the line.
  void search_line(const Ray& ray, WeightPoint& best) {
    Index first = -1;
    double low = 0, high = ray.longest_step(first);
    double low_slope = objective_.slope_on_line(best);
    if (low_slope >= 0 || high <= 0) return;
    const double flat = kFlat * -low_slope;
    double high_slope = 0;  // unknown as long as it is 0
    bool was_low = false;
    for (int trial = 0; trial < kMostTrials && !stopped(); ++trial) {
      const bool inside = high_slope > 0;
      const double step = inside ? (low * high_slope - high * low_slope) / (high_slope - low_slope) : high;
      WeightPoint point = objective_.on_line(step);
      const double slope = objective_.slope_on_line(point);
      const bool improved = point.value < best.value;
      if (improved) best = std::move(point);
      if (improved && std::abs(slope) <= flat) return;
      if (slope <= 0) {
        if (!inside) return;  // J falls up to the end of the line
        low = step;
        low_slope = slope;
        if (was_low) high_slope /= 2;
      } else {
        high = step;
        high_slope = slope;
        if (inside && !was_low) low_slope /= 2;
      }
      was_low = slope <= 0;
    }
  }

  const Settings& settings_;
};

}  // namespace

std::unique_ptr<WeightUpdate> make_simplemkl(WeightObjective& objective, const Settings& settings) {
  return std::make_unique<SimpleMkl>(objective, settings);
}

}  // namespace spicymkl
