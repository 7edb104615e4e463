// Losses that do not split over their entries: values, gradients, conjugates and their derivatives, room in the domain.
#include <gtest/gtest.h>

#include "support/joint_problems.hpp"

namespace {

using namespace testing_support;
using spicymkl::JointLoss;

class JointLossTest : public testing::TestWithParam<JointCase> {
 protected:
  JointProblem test = make_joint_problem(GetParam());
  const JointLoss& loss = *test.problem.joint_loss();
  Generator random{7};
  Vector z = 0.7 * normal_vector(test.labels.size(), random);
  Vector direction() { return feasible_direction(normal_vector(test.labels.size(), random)); }
  /// What the constraints allow.
  Vector feasible_direction(Vector v) const {
    EXPECT_TRUE(test.problem.constraints().restore(Vector::Ones(v.size()), v));
    return v;
  }
};

TEST_P(JointLossTest, ValueIsItsDefinition) {
  EXPECT_NEAR(loss.value(z), naive_loss(test, z), 1e-11 * (1 + naive_loss(test, z)));
  EXPECT_GE(loss.value(100 * z), 0);
  EXPECT_TRUE(std::isfinite(loss.value(1e4 * z)));
  EXPECT_TRUE(loss.dual_point(1e4 * z).allFinite());
}

TEST_P(JointLossTest, DualPointIsMinusTheGradient) {
  const Vector rho = loss.dual_point(z);
  for (int trial = 0; trial < 5; ++trial) {
    const Vector v = normal_vector(z.size(), random);
    const double h = 1e-5, slope = (loss.value(z + h * v) - loss.value(z - h * v)) / (2 * h);
    EXPECT_NEAR(slope, -rho.dot(v), 1e-7 * (1 + std::abs(slope)));
  }
  EXPECT_LE(test.problem.constraints().intercept_alone() ? std::abs(rho.sum()) : 0, 1e-10 * rho.lpNorm<1>());
}

TEST_P(JointLossTest, CurvatureProductIsTheHessian) {
  const Matrix V = normal_matrix(z.size(), 3, random), H = loss.curvature_product(z, V);
  const double h = 1e-5;
  for (Index c = 0; c < 3; ++c) {
    const Vector by_differences = (loss.dual_point(z - h * V.col(c)) - loss.dual_point(z + h * V.col(c))) / (2 * h);
    EXPECT_LE((by_differences - H.col(c)).lpNorm<Eigen::Infinity>(), 1e-6 * (1 + H.lpNorm<Eigen::Infinity>()));
  }
}

TEST_P(JointLossTest, FenchelAndYoungAgree) {
  const Vector rho = loss.dual_point(z);
  EXPECT_NEAR(loss.value(z) + loss.conjugate(rho), -rho.dot(z), 1e-10 * (1 + std::abs(rho.dot(z))));
  for (int trial = 0; trial < 20; ++trial) {  // elsewhere there is a gap
    const Vector other = normal_vector(z.size(), random);
    EXPECT_GE(loss.value(other) + loss.conjugate(rho) + rho.dot(other), -1e-10);
  }
  for (const double s : {0.0, 0.3, 0.95}) EXPECT_GE(loss.value(z) + loss.conjugate(s * rho) + s * rho.dot(z), -1e-10);
}

TEST_P(JointLossTest, AnsweringInvertsTheDualPoint) {
  const Vector rho = loss.dual_point(z);
  EXPECT_LE((loss.dual_point(loss.answering(rho)) - rho).lpNorm<Eigen::Infinity>(), 1e-10);
}

TEST_P(JointLossTest, DerivativesOfTheConjugate) {
  const Vector rho = loss.dual_point(z), v = direction(), w = direction();
  const double room = std::min({loss.room(rho, v), loss.room(rho, -v), loss.room(rho, w), loss.room(rho, -w), 1.0});
  ASSERT_GT(room, 0);
  const double h = 1e-4 * room;
  const double slope = (loss.conjugate(rho + h * v) - loss.conjugate(rho - h * v)) / (2 * h);
  EXPECT_NEAR(slope, -loss.answering(rho).dot(v), 1e-5 * (1 + std::abs(slope)));
  const JointLoss::Curvature curvature = loss.conjugate_curvature(rho);
  const double form = w.dot(curvature.diagonal.cwiseProduct(v)) + w.dot(curvature.nested.product(v));
  const double by_differences = (loss.answering(rho - h * v) - loss.answering(rho + h * v)).dot(w) / (2 * h);
  EXPECT_NEAR(form, by_differences, 1e-5 * (1 + std::abs(form)));
}

TEST_P(JointLossTest, RoomEndsTheDomain) {
  const Vector rho = loss.dual_point(z), v = direction();
  const double room = loss.room(rho, v);
  ASSERT_TRUE(std::isfinite(room));
  EXPECT_TRUE(std::isfinite(loss.conjugate(rho + 0.999 * room * v)));
  EXPECT_TRUE(std::isinf(loss.conjugate(rho + 1.001 * room * v)));
}

TEST_P(JointLossTest, IsConvexAsItSays) {
  const Vector rho = loss.dual_point(z);
  for (int trial = 0; trial < 10; ++trial) {
    const Vector v = direction();
    const JointLoss::Curvature curvature = loss.conjugate_curvature(rho);
    const double form = v.dot(curvature.diagonal.cwiseProduct(v)) + v.dot(curvature.nested.product(v));
    EXPECT_GE(form, (1 - 1e-9) * loss.conjugate_convexity() * v.squaredNorm());
  }
}

TEST_P(JointLossTest, LargestValueBoundsTheNeighbourhood) {
  const Vector reach = Vector::Constant(z.size(), 0.3);
  const double largest = loss.largest_value(z, reach);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector corner = z + 0.3 * normal_vector(z.size(), random).cwiseSign();
    EXPECT_LE(loss.value(corner), largest + 1e-10);
  }
}

TEST_P(JointLossTest, FeasiblePointsAreFeasible) {
  for (const double far : {0.01, 1.0, 30.0}) {
    const Vector point = test.problem.feasible(loss.dual_point(z) + far * normal_vector(z.size(), random));
    EXPECT_LE(test.problem.constraints().violation(point), 1e-12);
    EXPECT_TRUE(std::isfinite(loss.conjugate(point)));
  }
  Vector broken = loss.dual_point(z);
  broken(1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(test.problem.feasible(broken).allFinite());
}

INSTANTIATE_TEST_SUITE_P(All, JointLossTest,
                         testing::Values(JointCase{.loss = "multinomial"},
                                         JointCase{.loss = "multinomial", .outputs = 5, .weighted = true, .seed = 2},
                                         JointCase{.loss = "multinomial", .covariates = 2, .seed = 3},
                                         JointCase{.loss = "cox"},
                                         JointCase{.loss = "cox", .weighted = true, .seed = 2},
                                         JointCase{.loss = "cox", .covariates = 2, .seed = 4}));

}  // namespace
