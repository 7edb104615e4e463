#include "spicymkl/model/survival.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace spicymkl {

void estimate_hazard(const Vector& weights, Survival& survival) {
  const Vector& times = survival.times;
  std::vector<Index> order(times.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::greater{}, [&](Index i) { return times(i); });
  const double largest = survival.log_risks.maxCoeff();  // sums of exp(f − largest) do not overflow
  std::vector<double> steps, increases;                  // from the last time to the first
  double at_risk = 0;
  for (std::size_t k = 0; k < order.size();) {
    const double time = times(order[k]);
    double mass = 0;
    for (; k < order.size() && times(order[k]) == time; ++k) {
      const double s = weights.size() > 0 ? weights(order[k]) : 1;
      at_risk += s * std::exp(survival.log_risks(order[k]) - largest);
      mass += s * survival.events(order[k]);
    }
    steps.push_back(time);
    increases.push_back(mass > 0 ? std::exp(std::log(mass / at_risk) - largest) : 0);
  }
  const Index n = std::ssize(steps);
  survival.steps = Eigen::Map<const Vector>(steps.data(), n).reverse();
  survival.hazard = Eigen::Map<const Vector>(increases.data(), n).reverse();
  std::partial_sum(survival.hazard.begin(), survival.hazard.end(), survival.hazard.begin());
}

Vector hazard_at(const Survival& survival, ConstVectorRef times) {
  Vector values(times.size());
  for (Index t = 0; t < times.size(); ++t) {
    const auto behind = std::upper_bound(survival.steps.begin(), survival.steps.end(), times(t));
    values(t) = behind == survival.steps.begin() ? 0 : survival.hazard(behind - survival.steps.begin() - 1);
  }
  return values;
}

Matrix survival_probabilities(const Survival& survival, ConstVectorRef log_risks, ConstVectorRef times) {
  // In logarithms: the factors of H·exp f may leave the range of doubles where their product does not.
  const Vector log_hazard = hazard_at(survival, times).array().log();
  Matrix probabilities(log_risks.size(), times.size());
  for (Index t = 0; t < times.size(); ++t)
    for (Index i = 0; i < log_risks.size(); ++i)
      probabilities(i, t) = std::exp(-std::exp(log_risks(i) + log_hazard(t)));
  return probabilities;
}

}  // namespace spicymkl
