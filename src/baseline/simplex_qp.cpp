#include "simplex_qp.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "chosen_entries.hpp"

namespace spicymkl {

namespace {

/// The set of positive entries and their values.
class ActiveSet {
 public:
  ActiveSet(const Vector& g, const Matrix& V, double ridge) : g_(g), V_(V), ridge_(ridge) {}

  bool contains(Index m) const { return chosen_.contains(m); }
  void enter(Index m) { chosen_.enter(m, set_.empty() ? 1 : 0); }

  /// The minimiser among vectors that are 0 outside the set; entries that it would make negative leave the set.
  void minimise() {
    while (set_.size() > 1) {
      const Vector target = unconstrained();
      double step = 1;
      for (Index k = 0; k < target.size(); ++k)
        if (target(k) <= 0) step = std::min(step, values_(k) / (values_(k) - target(k)));
      values_ += step * (target - values_);
      if (step == 1) return;
      chosen_.drop_smallest();
      values_ /= values_.sum();
    }
    values_.setOnes();
  }

  Vector gradient() const {
    const Vector product = V_(Eigen::all, set_) * values_;
    Vector gradient = g_ + V_.transpose() * product;
    gradient(set_) += ridge_ * values_;
    return gradient;
  }

  Vector solution() const {
    Vector x = Vector::Zero(g_.size());
    x(set_) = values_;
    return x;
  }

  /// The gradient's common value on the set.
  double level(const Vector& gradient) const { return Vector(gradient(set_)).dot(values_); }

 private:
  /// Minimises on Σx = 1 alone: (H + ridge)x + ν1 = −g.
  Vector unconstrained() const {
    const Matrix part = V_(Eigen::all, set_);
    Matrix H = part.transpose() * part;
    H.diagonal().array() += ridge_;
    const Eigen::LDLT<Matrix> factor(H);
    const Vector free = factor.solve(-Vector(g_(set_)));
    const Vector shift = factor.solve(Vector::Ones(free.size()));
    return free + (1 - free.sum()) / shift.sum() * shift;
  }

  const Vector& g_;
  const Matrix& V_;
  double ridge_;
  ChosenEntries chosen_;
  std::vector<Index>& set_ = chosen_.set;
  Vector& values_ = chosen_.values;
};

}  // namespace

Vector minimise_on_simplex(const Vector& g, const Matrix& V, double ridge, double accuracy) {
  ActiveSet active(g, V, ridge);
  Index best = 0;
  (g + 0.5 * V.colwise().squaredNorm().transpose()).minCoeff(&best);  // the best vertex
  active.enter(best);
  Vector gradient = active.gradient();
  for (Index step = 0; step < 3 * g.size() + 10; ++step) {  // entries come and go; far more than ever seen
    const double lowest = gradient.minCoeff(&best);
    if (lowest >= active.level(gradient) - accuracy) break;
    if (active.contains(best)) break;  // as exact as a Hessian that is nearly singular lets it be
    active.enter(best);
    active.minimise();
    gradient = active.gradient();
  }
  return active.solution();
}

}  // namespace spicymkl
