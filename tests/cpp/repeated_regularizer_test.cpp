// The price of a kernel that stands for several: by the definitions, and as what several equal kernels cost together.
#include "regularizer/repeated.hpp"

#include <gtest/gtest.h>

#include "spicymkl/solver/solve.hpp"
#include "support/numeric.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

class RepeatedRegularizerTest : public testing::TestWithParam<RegularizerCase> {
 protected:
  static constexpr double kTimes = 2.5;
  std::shared_ptr<const Regularizer> one = GetParam().make();
  RepeatedRegularizer G{one, kTimes};
};

TEST_P(RepeatedRegularizerTest, ConjugateIsTheSupremum) {
  for (const double u : {0.1, 0.5, 0.9, 1.4, 3.0}) {
    if (u > G.dual_bound()) continue;
    const auto negative = [&](double x) { return G.value(x) - u * x; };
    double reach = 1;
    while (negative(2 * reach) < negative(reach)) reach *= 2;
    const double supremum = -golden_minimum(negative, 0, 2 * reach);
    EXPECT_NEAR(G.conjugate(u), supremum, 1e-10 * (1 + supremum)) << u;
  }
}

TEST_P(RepeatedRegularizerTest, ProxIsTheMinimiserAndTheSlopeOfTheEnvelope) {
  for (const double gamma : {0.1, 3.0})
    for (const double v : {0.3, 1.7, 6.0}) {
      const auto objective = [&](double x) { return gamma * G.value(x) + 0.5 * (x - v) * (x - v); };
      EXPECT_NEAR(objective(G.prox(v, gamma)), golden_minimum(objective, 0, v), 1e-12 * (1 + v * v));
      const auto envelope = [&](double t) { return G.envelope(t, gamma); };
      EXPECT_NEAR(derivative(envelope, v, 1e-3 * v), G.prox(v, gamma), 1e-7 * (1 + v));
      const auto prox = [&](double t) { return G.prox(t, gamma); };
      EXPECT_NEAR(derivative(prox, v, 1e-3 * v), G.prox_slope(v, gamma), 1e-6);
    }
}

TEST_P(RepeatedRegularizerTest, WeightAndConjugateHaveTheirSlopes) {
  for (const double x : {0.2, 1.0, 4.0}) {
    const double slope = derivative([&](double t) { return G.value(t); }, x, 1e-3 * x);
    EXPECT_NEAR(G.weight(x), G.alpha() * x / slope, 1e-7 * (1 + G.weight(x))) << x;
  }
  if (!G.has_smooth_dual()) return;
  for (const double u : {0.9, 1.4, 3.0}) {
    EXPECT_NEAR(derivative([&](double t) { return G.conjugate(t); }, u, 1e-3 * u), G.conjugate_slope(u),
                1e-7 * (1 + G.conjugate_slope(u)));
    EXPECT_NEAR(derivative([&](double t) { return G.conjugate_slope(t); }, u, 1e-3 * u), G.conjugate_curvature(u),
                1e-6 * (1 + G.conjugate_curvature(u)));
  }
}

TEST_P(RepeatedRegularizerTest, IsWhatEqualKernelsCostTogether) {
  constexpr Index kCopies = 3;
  Generator random{8};
  const Samples samples = random_samples(40, random);
  const std::vector<Matrix> kernels = random_kernels(samples.X, 4, random);
  std::vector<Matrix> copies;
  for (Index copy = 0; copy < kCopies; ++copy) copies.insert(copies.end(), kernels.begin(), kernels.end());
  const auto loss = LossCase{"logistic"}.make();
  const Problem few(bank_of(kernels), samples.classes, loss, std::make_shared<RepeatedRegularizer>(one, kCopies));
  const Problem all(bank_of(copies), samples.classes, loss, one);
  const Result a = solve(few, {.tol = 1e-8}), b = solve(all, {.tol = 1e-8});
  EXPECT_EQ(a.status, Status::converged) << a.message;
  EXPECT_EQ(b.status, Status::converged) << b.message;
  EXPECT_NEAR(a.certificate.primal, b.certificate.primal, 2e-8 * b.certificate.primal);
}

INSTANTIATE_TEST_SUITE_P(Penalties, RepeatedRegularizerTest, testing::ValuesIn(each_regularizer()),
                         [](const auto& info) { return label(info.param); });

}  // namespace
