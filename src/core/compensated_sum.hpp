// A sum whose rounding does not grow with the number of its terms.
#pragma once

#include <cmath>

namespace spicymkl {

/// Neumaier's variant of Kahan's sum: what every addition rounds off is added up separately. Many equal terms, whose
/// roundings all have one sign, need it.
class CompensatedSum {
 public:
  void operator+=(double term) {
    const double next = sum_ + term;
    const double lost = std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    if (std::isfinite(lost)) lost_ += lost;  // an infinite term has nothing to lose
    sum_ = next;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace spicymkl
