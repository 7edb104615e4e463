// LevelMKL (Xu, Jin, King, Lyu 2008): the next weights are the nearest ones at which the cutting-plane model is below a
// level between the bounds on the optimum.
#include <algorithm>

#include "cutting_planes.hpp"
#include "level_projection.hpp"
#include "wrapper.hpp"

namespace spicymkl {

namespace {

constexpr double kLevel = 0.9;  // where the level is between the lower bound, 0, and the upper one, 1

class LevelMkl final : public WeightUpdate {
 public:
  using WeightUpdate::WeightUpdate;

  std::optional<WeightPoint> next(const WeightPoint& point, const Vector& squared_norms) override {
    if (!planes_) planes_.emplace(point.weights.size(), point.value);
    planes_->add(objective_.problem().labels().dot(point.dual), objective_.gradient(squared_norms));
    upper_ = std::min(upper_, point.value);
    lower_ = std::max(lower_, planes_->minimise().value);
    if (lower_ >= upper_) return std::nullopt;
    const double level = lower_ + kLevel * (upper_ - lower_);
    return objective_.at(project_on_level_set(point.weights, planes_->offsets(), planes_->slopes(), level));
  }

 private:
  std::optional<CuttingPlanes> planes_;
  double lower_ = -HUGE_VAL, upper_ = HUGE_VAL;
};

}  // namespace

std::unique_ptr<WeightUpdate> make_levelmkl(WeightObjective& objective, const Settings&) {
  return std::make_unique<LevelMkl>(objective);
}

}  // namespace spicymkl
