// Many samples: sums over them on threads, and the intercept that is found by such sums.
#include "problem/sample_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "problem/unpenalised_fit.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/kernel/presets.hpp"

namespace spicymkl {
namespace {

/// So many samples of one kernel that no matrix of it is kept, and labels of two classes.
Problem large_problem(Index n, const char* loss, int threads) {
  auto samples = std::make_shared<Samples>();
  samples->values = Vector::LinSpaced(n, -1, 1);
  samples->columns = {"x"};
  std::vector<FittedKernel> kernels;
  for (const KernelSpec& spec : random_kernels(*samples, 1, 3)) kernels.push_back(FittedKernel::fit(spec, *samples, 1));
  Vector labels(n);
  for (Index i = 0; i < n; ++i) labels(i) = i % 3 == 0 ? 1 : -1;
  return {make_exact_bank(samples, kernels, threads), labels, make_loss(loss), make_regularizer("block1", {}), true};
}

Vector normal_numbers(Index n) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(n, [&] { return normal(random); });
}

TEST(SampleLoopTest, SumsOverSamplesHaveTheSameBitsOnAnyNumberOfThreads) {
  const Index n = 9000;
  const Vector f = normal_numbers(n);
  for (const char* loss : {"logistic", "hinge", "squared"}) {
    const Problem alone = large_problem(n, loss, 1), together = large_problem(n, loss, 4);
    const Vector rho = alone.feasible(alone.dual_point(f));
    EXPECT_EQ(alone.dual_point(f), together.dual_point(f)) << loss;
    EXPECT_EQ(rho, together.feasible(together.dual_point(f))) << loss;
    EXPECT_EQ(alone.loss_value(f), together.loss_value(f)) << loss;
    EXPECT_EQ(alone.conjugate_value(rho), together.conjugate_value(rho)) << loss;
    EXPECT_EQ(alone.best_unpenalised(f), together.best_unpenalised(f)) << loss;
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += alone.loss().value(alone.labels()(i), f(i));
    EXPECT_NEAR(alone.loss_value(f), sum, 1e-12 * sum) << loss;
  }
}

TEST(InterceptBracketTest, NeighboursAroundTheChangeOfSign) {
  const Index n = 3000;
  for (const char* loss : {"logistic", "hinge", "squared_hinge", "squared"})
    for (const double shift : {0.0, 30.0, -1e6}) {
      const Problem problem = large_problem(n, loss, 2);
      const Vector f = normal_numbers(n).array() + shift;
      const Interval bracket = intercept_bracket(problem, 0, f);
      const auto sum_at = [&](double b) { return problem.dual_point(f.array() + b).sum(); };
      const double rounding = 1e-12 * static_cast<double>(n) * (1 + std::abs(shift));
      EXPECT_EQ(std::nextafter(bracket.lower, HUGE_VAL), bracket.upper) << loss << ' ' << shift;
      EXPECT_GE(sum_at(bracket.lower), -rounding) << loss << ' ' << shift;
      EXPECT_LE(sum_at(bracket.upper), rounding) << loss << ' ' << shift;
    }
}

}  // namespace
}  // namespace spicymkl
