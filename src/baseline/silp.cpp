// SILP (Sonnenburg, Rätsch, Schäfer, Schölkopf 2006): the next weights minimise the cutting-plane model.
#include "cutting_planes.hpp"
#include "wrapper.hpp"

namespace spicymkl {

namespace {

class Silp final : public WeightUpdate {
 public:
  using WeightUpdate::WeightUpdate;

  std::optional<WeightPoint> next(const WeightPoint& point, const Vector& squared_norms) override {
    if (!planes_) planes_.emplace(point.weights.size(), point.value);
    planes_->add(objective_.problem().labels().dot(point.dual), objective_.gradient(squared_norms));
    const Vector weights = planes_->minimise().weights;
    if (weights == point.weights)
      return std::nullopt;  // the model is exact there, as far as the SVM and the LP can tell
    return objective_.at(weights);
  }

 private:
  std::optional<CuttingPlanes> planes_;
};

}  // namespace

std::unique_ptr<WeightUpdate> make_silp(WeightObjective& objective, const Settings&) {
  return std::make_unique<Silp>(objective);
}

}  // namespace spicymkl
