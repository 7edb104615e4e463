#include "objective.hpp"

#include <algorithm>
#include <utility>

namespace spicymkl {

namespace {

constexpr double kRefinement = 0.1;  // of the tolerance of the SVMs at a time; less than a half is none
constexpr double kFinestSvm = 1e-5;  // below it LIBSVM, which keeps kernels in single precision, may not end

}  // namespace

WeightObjective::WeightObjective(const Problem& problem, double box, double svm_tolerance)
    : problem_(problem),
      box_(box),
      svm_(problem.labels(), std::max(svm_tolerance, kFinestSvm)),
      sum_(problem.bank()),
      direction_(problem.bank()) {}

WeightPoint WeightObjective::solve(const WeightedSum& sum) {
  ++count_;
  WeightPoint point{sum.weights(), svm_.solve(sum.matrix(), box_), {}, 0};
  point.scores = box_ * (sum.matrix().selfadjointView<Eigen::Lower>() * point.dual);
  point.value = problem_.labels().dot(point.dual) - 0.5 * point.dual.dot(point.scores);
  return point;
}

WeightPoint WeightObjective::at(const Vector& weights) {
  sum_.set(weights);
  return solve(sum_);
}

void WeightObjective::set_line(const Vector& start, const Vector& direction) {
  sum_.set(start);
  direction_.set(direction);
}

WeightPoint WeightObjective::on_line(double step) { return solve(sum_.moved(step, direction_)); }

double WeightObjective::slope_on_line(const WeightPoint& point) const {
  return -0.5 * box_ * point.dual.dot(direction_.matrix().selfadjointView<Eigen::Lower>() * point.dual);
}

Vector WeightObjective::squared_norms(const WeightPoint& point) const {
  Vector squares(problem_.n_kernels());
  problem_.bank().quadratic_forms(all_kernels(problem_.n_kernels()), point.dual, squares);
  return squares;
}

const Matrix& WeightObjective::combined(const Vector& weights) {
  sum_.set(weights);
  return sum_.matrix();
}

bool WeightObjective::refine() {
  const double finer = std::max(kRefinement * svm_.tolerance(), kFinestSvm);
  if (finer > 0.5 * svm_.tolerance()) return false;
  svm_.set_tolerance(finer);
  return true;
}

int WeightObjective::take_count() { return std::exchange(count_, 0); }

}  // namespace spicymkl
