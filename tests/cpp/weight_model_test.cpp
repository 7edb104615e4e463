// The quadratic model over weights: its minimum satisfies the optimality conditions, also where columns are alike.
#include "solver/inner/weight_model.hpp"

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

/// How far d is from the conditions: a slope of 0 inside, none that leads inwards at a bound.
double violation(const Vector& slope, const Matrix& H, const Vector& start, const Vector& upper, const Vector& d) {
  const Vector gradient = slope + H * (d - start);
  double most = 0;
  for (Index m = 0; m < d.size(); ++m) {
    if (d(m) > 0) most = std::max(most, gradient(m));
    if (d(m) < upper(m)) most = std::max(most, -gradient(m));
  }
  return most;
}

TEST(WeightModel, TheMinimumSatisfiesTheConditions) {
  Generator random(3);
  for (const Index size : {1, 2, 10, 60})
    for (const double ridge : {1.0, 1e-4, 1e-8}) {  // columns that are more and more alike
      const Matrix half = normal_matrix(size, std::max<Index>(size / 2, 1), random);
      Matrix H = half * half.transpose();
      H.diagonal().array() += ridge * H.diagonal().maxCoeff();
      const Vector slope = normal_vector(size, random), start = normal_vector(size, random).cwiseAbs().cwiseMin(1.0);
      for (const double most : {2.0, std::numeric_limits<double>::infinity()}) {
        const Vector upper = Vector::Constant(size, most);
        const Vector d = minimise_model(slope, H, start, upper);
        EXPECT_GE(d.minCoeff(), 0);
        EXPECT_TRUE((d.array() <= upper.array()).all());
        EXPECT_LE(violation(slope, H, start, upper, d), 1e-6 * slope.lpNorm<Eigen::Infinity>())
            << size << " weights, ridge " << ridge << ", up to " << most;
      }
    }
}

TEST(WeightModel, DescentGoesDownAndStaysWithinTheBounds) {
  Generator random(4);
  const Matrix half = normal_matrix(20, 10, random);
  Matrix H = half * half.transpose();
  H.diagonal().array() += 0.1;
  const Vector slope = normal_vector(20, random), start = Vector::Constant(20, 0.5), upper = Vector::Ones(20);
  const Vector d = descend_model(slope, H, start, upper), step = d - start;
  EXPECT_LT(slope.dot(step) + step.dot(H * step) / 2, 0);
  EXPECT_LE(violation(slope, H, start, upper, d), 1e-3);
  EXPECT_TRUE((d.array() >= 0).all() && (d.array() <= 1).all());
}

}  // namespace
