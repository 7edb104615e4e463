// The certificate against the naive referee, for models that are far from optimal too.
#include "spicymkl/problem/certificate.hpp"

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

/// Any model at all: the certificate must be right however bad the model is.
Expansion random_expansion(const TestProblem& test, Generator& random) {
  const Index n = test.naive.y.size();
  Expansion model;
  model.dual = test.problem.dual_point(0.5 * normal_vector(n, random));
  model.kernels = {4, 0, 2};
  model.scale = 0.1 * normal_vector(3, random).cwiseAbs();
  model.unpenalised = Matrix::Constant(test.naive.fit_intercept ? 1 : 0, 1, 0.3);
  return model;
}

using Parameters = std::tuple<LossCase, RegularizerCase, bool, bool>;

class CertificateTest : public testing::TestWithParam<Parameters> {
 protected:
  Generator random{13};
  TestProblem test = make_problem(std::get<0>(GetParam()), std::get<1>(GetParam()),
                                  {18, 6, 2, std::get<2>(GetParam()), std::get<3>(GetParam())});
};

TEST_P(CertificateTest, AgreesWithTheReferee) {
  for (int trial = 0; trial < 5; ++trial) {
    const Expansion model = random_expansion(test, random);
    const Certificate certificate = certify(test.problem, model);
    const RefereeVerdict verdict = referee_verdict(test.naive, model, certificate.dual);
    EXPECT_NEAR(certificate.primal, verdict.primal, 1e-11 * verdict.primal);
    EXPECT_NEAR(certificate.dual_objective, verdict.dual, 1e-10 * verdict.primal);
    EXPECT_NEAR(certificate.relative_gap, verdict.gap, 1e-10);
    for (std::size_t k = 0; k < model.kernels.size(); ++k)
      EXPECT_NEAR(certificate.norms(static_cast<Index>(k)),
                  naive_norm(test.naive.kernels[static_cast<std::size_t>(model.kernels[k])],
                             model.scale(static_cast<Index>(k)) * model.dual),
                  1e-10);
  }
}

TEST_P(CertificateTest, WeakDualityHoldsForEveryModelAndEveryDualVector) {
  for (int trial = 0; trial < 20; ++trial) {
    const Expansion model = random_expansion(test, random);
    const Vector rho = std::pow(10.0, trial % 4 - 1) * normal_vector(test.naive.y.size(), random);
    const DualBound bound = dual_bound(test.problem, rho);
    EXPECT_LE(bound.value(), primal_value(test.problem, model).value * (1 + 1e-12));
    EXPECT_NEAR(bound.value(), referee_dual(test.naive, bound.dual()), 1e-10 * (1 + std::abs(bound.value())));
  }
}

TEST_P(CertificateTest, BoundIsTheBestOverAllScalesOfTheFeasiblePoint) {
  for (int trial = 0; trial < 5; ++trial) {
    const Vector rho = 2 * normal_vector(test.naive.y.size(), random);
    const DualBound bound = dual_bound(test.problem, rho);
    const Vector feasible = test.problem.feasible(rho);
    for (int k = 0; k <= 100; ++k) {
      const double at_scale = referee_dual(test.naive, k / 100.0 * feasible);
      EXPECT_GE(bound.value(), at_scale - 1e-9 * (1 + std::abs(at_scale))) << "scale " << k / 100.0;
    }
    EXPECT_GE(bound.value(), -1e-9) << "scale 0 proves 0";
  }
}

TEST_P(CertificateTest, AnotherBoundIsTakenAsProved) {
  const Expansion model = random_expansion(test, random);
  const Certificate alone = certify(test.problem, model);
  const DualBound other = dual_bound(test.problem, test.problem.best_constant().dual);
  const Certificate with_other = certify(test.problem, model, other);
  EXPECT_EQ(with_other.dual_objective, other.value());
  EXPECT_EQ(with_other.dual, other.dual());
  EXPECT_EQ(with_other.primal, alone.primal);
}

TEST_P(CertificateTest, EmptyModelIsTheConstant) {
  Expansion model;
  model.dual = test.problem.best_constant().dual;
  model.scale = Vector(0);
  model.unpenalised = test.problem.best_constant().unpenalised;
  const Certificate certificate = certify(test.problem, model);
  EXPECT_EQ(certificate.norms.size(), 0);
  EXPECT_NEAR(certificate.primal, test.problem.loss_value(test.problem.unpenalised_part(model.unpenalised)), 1e-12);
}

TEST_P(CertificateTest, ResidualIsFiniteForEveryModel) {
  for (int trial = 0; trial < 5; ++trial) {
    const double residual = optimality_residual(test.problem, random_expansion(test, random));
    EXPECT_TRUE(std::isfinite(residual) && residual > 0) << residual;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, CertificateTest,
                         testing::Combine(testing::ValuesIn(each_loss()), testing::ValuesIn(each_regularizer()),
                                          testing::Bool(), testing::Bool()),
                         [](const auto& info) {
                           return label(std::get<0>(info.param)) + "_" + label(std::get<1>(info.param)) +
                                  (std::get<2>(info.param) ? "_intercept" : "") +
                                  (std::get<3>(info.param) ? "_weighted" : "");
                         });

TEST(RelativeGapTest, IsPrimalMinusDualOverPrimal) {
  EXPECT_DOUBLE_EQ(relative_gap(4, 3), 0.25);
  EXPECT_EQ(relative_gap(3, 3), 0);
  EXPECT_NEAR(relative_gap(3, 3.0000003), 1e-7, 1e-12) << "a dual value above the primal one is not hidden";
  EXPECT_EQ(relative_gap(0, 0), 0);
  EXPECT_EQ(relative_gap(1, -kInfinity), kInfinity);
}

}  // namespace
