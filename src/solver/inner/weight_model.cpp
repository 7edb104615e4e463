#include "weight_model.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace spicymkl {

namespace {

constexpr int kManySweeps = 300;   // of coordinate descent over the weights, whose number is small
constexpr double kSettled = 1e-6;  // change of weights, relative to the largest, at which the descent ends
constexpr int kRounds = 30;        // of sweeps, and of steps over the weights between their bounds
constexpr int kFewSweeps = 10;     // per round
constexpr double kExact = 1e-9;    // of the largest weight

class BoundedModel {
 public:
  BoundedModel(const Vector& slope, const Matrix& H, const Vector& start, const Vector& upper)
      : H_(H), upper_(upper), d_(start), gradient_(slope) {}

  const Vector& weights() const { return d_; }

  /// Coordinate descent; the largest change of a weight in the last sweep. It soon finds out which weights are at a
  /// bound, and is slow where columns of H are alike.
  double sweep(int times, double settled) {
    double largest = 0;
    for (int k = 0; k < times; ++k) {
      largest = 0;
      for (Index m = 0; m < d_.size(); ++m) {
        const double next = std::clamp(d_(m) - gradient_(m) / H_(m, m), 0.0, upper_(m));
        if (next == d_(m)) continue;
        largest = std::max(largest, std::abs(next - d_(m)));
        gradient_ += (next - d_(m)) * H_.col(m);
        d_(m) = next;
      }
      if (largest <= settled * d_.maxCoeff()) break;
    }
    return largest;
  }

  /// Newton's step over the weights strictly between their bounds, as far as these allow; the largest change.
  double step() {
    std::vector<Index> free;
    for (Index m = 0; m < d_.size(); ++m)
      if (d_(m) > 0 && d_(m) < upper_(m)) free.push_back(m);
    if (free.empty()) return 0;
    const Eigen::LLT<Matrix> factor(H_(free, free));
    if (factor.info() != Eigen::Success) return 0;
    const Vector change = factor.solve(-gradient_(free));
    if (!change.allFinite()) return 0;
    double length = 1;
    Index first = -1;  // to reach a bound
    for (Index k = 0; k < change.size(); ++k) {
      const double room = change(k) < 0 ? d_(free[k]) : upper_(free[k]) - d_(free[k]);
      if (std::abs(change(k)) * length <= room) continue;
      length = room / std::abs(change(k));
      first = k;
    }
    for (Index k = 0; k < change.size(); ++k) d_(free[k]) += length * change(k);
    if (first >= 0) d_(free[first]) = change(first) < 0 ? 0 : upper_(free[first]);
    d_ = d_.cwiseMax(0.0).cwiseMin(upper_);
    gradient_.noalias() += length * (H_(Eigen::all, free) * change);
    return length * change.lpNorm<Eigen::Infinity>();
  }

 private:
  const Matrix& H_;
  const Vector& upper_;
  Vector d_, gradient_;
};

}  // namespace

Vector descend_model(const Vector& slope, const Matrix& H, const Vector& start, const Vector& upper) {
  BoundedModel model(slope, H, start, upper);
  model.sweep(kManySweeps, kSettled);
  return model.weights();
}

Vector minimise_model(const Vector& slope, const Matrix& H, const Vector& start, const Vector& upper) {
  BoundedModel model(slope, H, start, upper);
  for (int round = 0; round < kRounds; ++round) {
    const double swept = model.sweep(kFewSweeps, kExact);
    const double stepped = model.step();
    if (std::max(swept, stepped) <= kExact * model.weights().maxCoeff()) break;
  }
  return model.weights();
}

}  // namespace spicymkl
