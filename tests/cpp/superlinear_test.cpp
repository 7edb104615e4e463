// Theorem 1: ‖α⁺ − α*‖² + (b⁺ − b*)² ≤ (‖α − α*‖² + (b − b*)²)/(1 + σγ)², so that the ratio falls as γ grows.
#include <gtest/gtest.h>

#include "solver/outer/spicy.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

/// α of every kernel (zero where it is not active) and b.
struct PrimalPoint {
  Matrix coef;
  double intercept;
};

PrimalPoint primal_point(const ProximalLoop& loop, Index n, Index m) {
  const WarmStart at = loop.warm_start();
  PrimalPoint point{Matrix::Zero(n, m), at.unpenalised(0)};
  for (std::size_t k = 0; k < at.kernels.size(); ++k)
    point.coef.col(at.kernels[k]) = at.coef.col(static_cast<Index>(k));
  return point;
}

double squared_distance(const TestProblem& test, const PrimalPoint& a, const PrimalPoint& b) {
  double sum = (a.intercept - b.intercept) * (a.intercept - b.intercept);
  for (Index k = 0; k < a.coef.cols(); ++k)
    sum += std::pow(naive_norm(test.naive.kernels[static_cast<std::size_t>(k)], a.coef.col(k) - b.coef.col(k)), 2);
  return sum;
}

TEST(SuperlinearTest, RatioOfSuccessiveDistancesFallsAsGammaGrows) {
  const TestProblem test = make_problem_at(0.1, {"logistic"}, {"block1"}, {40, 6, 3});
  const Index n = 40, m = 6;
  const Settings settings;
  Timers timers;

  ProximalLoop loop(test.problem, settings, {});
  std::vector<PrimalPoint> path;
  std::vector<double> gammas;
  for (int step = 0; step < 9; ++step) {
    gammas.push_back(loop.gamma());
    loop.minimise_inner(0, timers);
    loop.update_multipliers();
    loop.change_gamma(true);
    path.push_back(primal_point(loop, n, m));
  }
  const Certificate reference = certify(test.problem, share_direction(test.problem, loop.iterate()));
  ASSERT_LE(reference.relative_gap, 1e-12) << "the last iterate serves as the solution";

  // Distances below 1e-5 of the solution's size are near the accuracy of the reference itself (the floor is about
  // 1e-7).
  const double floor = 1e-10 * squared_distance(test, path.back(), {Matrix::Zero(n, m), 0});
  double last_ratio = 1;
  int compared = 0;
  for (std::size_t t = 0; t + 1 < path.size(); ++t) {
    const double before = squared_distance(test, path[t], path.back());
    const double after = squared_distance(test, path[t + 1], path.back());
    if (after < floor) break;
    const double ratio = after / before;
    // γ grows tenfold a step: a linear rate would leave the ratio where it is, the theorem promises up to a hundredth.
    EXPECT_LT(ratio, last_ratio / 5) << "step " << t << " with gamma " << gammas[t + 1];
    last_ratio = ratio;
    ++compared;
  }
  EXPECT_GE(compared, 3) << "too fast to measure: choose a harder problem";
  EXPECT_LT(last_ratio, 1e-4);
}

}  // namespace
