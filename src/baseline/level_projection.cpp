#include "level_projection.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "chosen_entries.hpp"
#include "wrapper.hpp"

namespace spicymkl {

namespace {

constexpr double kAccuracy = 1e-9;    // of the constraints, once each cut has been scaled to a largest slope of 1
constexpr double kDualRidge = 1e-12;  // on the dual Hessian, relative to its largest diagonal entry
constexpr int kMostNewton = 60;
constexpr double kOfRows = 0.1;           // part of that accuracy to which Newton's method meets the rows of the set
constexpr double kShortestStep = 1e-10;   // of Newton's method: nothing is gained by shorter ones
constexpr double kSufficientRise = 1e-4;  // Armijo's constant
constexpr double kNoSlope = 1e-300;       // in place of the largest slope of a cut that has none

/// minimise ½‖d − start‖² over d ≥ 0 subject to Gd ≤ h in all rows but the last, which is Σd = 1. With multipliers μ
/// the minimiser is d(μ) = (start − Gᵀμ)₊, and the dual's gradient is Gd(μ) − h. Rows enter a working set one at a
/// time, the most violated first; within the set the dual is maximised by Newton's method, and a row whose multiplier
/// would turn negative leaves it, as in the method of Lawson and Hanson for non-negative least squares.
class Projection {
 public:
  Projection(const Vector& start, const std::vector<double>& offsets, const std::vector<Vector>& slopes, double level)
      : start_(start),
        sum_row_(std::ssize(slopes)),
        G_(sum_row_ + 1, start.size()),
        h_(sum_row_ + 1),
        rows_{{sum_row_}, Vector::Zero(1)} {
    for (Index i = 0; i < sum_row_; ++i) {
      const double scale = std::max(slopes[i].cwiseAbs().maxCoeff(), kNoSlope);
      G_.row(i) = slopes[i] / scale;
      h_(i) = (level - offsets[i]) / scale;
    }
    G_.row(sum_row_).setOnes();
    h_(sum_row_) = 1;
  }

  Vector solve() {
    const Index most = 5 * sum_row_ + 50;  // rows come and go; far more than ever seen
    for (Index step = 0; step < most; ++step) {
      Index worst = 0;
      const Vector excess = G_ * point(multipliers_) - h_;
      if (excess.head(sum_row_).maxCoeff(&worst) <= kAccuracy) break;
      if (rows_.contains(worst)) break;  // as exact as Newton's method gets it
      rows_.enter(worst, 0);
      while (!maximise()) rows_.drop_smallest(1);
    }
    return point(multipliers_);
  }

 private:
  Vector point(const Vector& multipliers) const {
    return (start_ - G_(set_, Eigen::all).transpose() * multipliers).cwiseMax(0);
  }

  /// Moves to the dual's maximum over the rows of the set; stops short, and returns false, where a multiplier is 0.
  bool maximise() {
    const Vector target = unconstrained();
    double step = 1;
    for (Index k = 1; k < target.size(); ++k)  // the first is that of the sum, of either sign
      if (target(k) < 0) step = std::min(step, multipliers_(k) / (multipliers_(k) - target(k)));
    multipliers_ += step * (target - multipliers_);
    return step == 1;
  }

  double dual(const Matrix& G, const Vector& h, const Vector& multipliers) const {
    const Vector d = (start_ - G.transpose() * multipliers).cwiseMax(0);
    return 0.5 * (d - start_).squaredNorm() + multipliers.dot(G * d - h);
  }

  /// The multipliers of the set at which its rows hold with equality.
  Vector unconstrained() const {
    const Matrix G = G_(set_, Eigen::all);
    const Vector h = h_(set_);
    Vector multipliers = multipliers_;
    for (int step = 0; step < kMostNewton; ++step) {
      const Vector d = (start_ - G.transpose() * multipliers).cwiseMax(0);
      const Vector gradient = G * d - h;
      if (gradient.cwiseAbs().maxCoeff() <= kOfRows * kAccuracy) break;
      const Vector direction = newton(G, d, gradient);
      const double before = dual(G, h, multipliers), rise = gradient.dot(direction);
      double length = 1;
      while (length > kShortestStep &&
             dual(G, h, multipliers + length * direction) < before + kSufficientRise * length * rise)
        length /= 2;
      if (length <= kShortestStep) break;
      multipliers += length * direction;
    }
    return multipliers;
  }

  static Vector newton(const Matrix& G, const Vector& d, const Vector& gradient) {
    std::vector<Index> positive;
    for (Index m = 0; m < d.size(); ++m)
      if (d(m) > 0) positive.push_back(m);
    const Matrix part = G(Eigen::all, positive);
    Matrix hessian = part * part.transpose();
    hessian.diagonal().array() += kDualRidge * std::max(hessian.diagonal().maxCoeff(), 1.0);
    return hessian.ldlt().solve(gradient);
  }

  const Vector& start_;
  Index sum_row_;
  Matrix G_;
  Vector h_;
  ChosenEntries rows_;  // the first is that of the sum
  std::vector<Index>& set_ = rows_.set;
  Vector& multipliers_ = rows_.values;
};

}  // namespace

Vector project_on_level_set(const Vector& start, const std::vector<double>& offsets, const std::vector<Vector>& slopes,
                            double level) {
  return on_simplex(Projection(start, offsets, slopes, level).solve());
}

}  // namespace spicymkl
