#include "spicymkl/selection/decline.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

void Decline::add(double score) {
  const double value = sign_ * score;
  if (!any_) first_ = best_ = value;
  any_ = true;
  best_ = std::max(best_, value);
  const double unit = std::max(std::abs(first_), best_ - first_);
  n_worse_ = best_ - value > kClearly * unit ? n_worse_ + 1 : 0;
}

}  // namespace spicymkl
