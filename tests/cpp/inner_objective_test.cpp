// The inner objective φ(ρ): derivatives by differences, values along a line, the update of the coefficients.
#include "solver/inner/inner_objective.hpp"

#include <gtest/gtest.h>

#include "support/numeric.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

constexpr Index kSamples = 9, kKernels = 5;

/// A point, shifts, multipliers and penalties, all random: nothing is special about it.
struct State {
  Vector rho;
  double gamma;
  std::vector<Index> shifted = {3, 0, 4};
  Matrix coef;
  Matrix multipliers;
  double multiplier_gamma = 1.7;
  double intercept = -0.4;
};

/// Strictly inside the open domain of ℓ0*, which only the logistic loss bounds.
Vector interior_point(const TestProblem& test, Generator& random) {
  Vector rho = 0.7 * normal_vector(kSamples, random);
  std::uniform_real_distribution<double> inside(0.15, 0.85);
  for (Index i = 0; i < kSamples; ++i) {
    const Interval domain = test.problem.loss().smooth_domain(test.naive.y(i));
    if (!std::isfinite(domain.lower)) continue;
    rho(i) = test.naive.weights(i) * (domain.lower + inside(random) * (domain.upper - domain.lower));
  }
  return rho;
}

State random_state(const TestProblem& test, double gamma, Generator& random) {
  State state;
  state.rho = interior_point(test, random);
  state.gamma = gamma;
  state.coef = 0.3 * normal_matrix(kSamples, static_cast<Index>(state.shifted.size()), random);
  state.multipliers = 0.8 * normal_matrix(kSamples, test.problem.loss().n_constraints(), random).cwiseAbs();
  return state;
}

/// φ with this state at ρ.
InnerObjective objective_at(const TestProblem& test, const State& state, const Vector& rho) {
  InnerObjective phi(test.problem, all_kernels(kKernels));
  phi.samples.set_penalty(state.multiplier_gamma);
  phi.samples.set_multipliers(state.multipliers);
  phi.unpenalised.setConstant(state.intercept);
  if (std::isfinite(state.gamma)) phi.kernels.set_coefficients(state.shifted, state.coef, state.gamma);
  phi.kernels.place(rho, state.gamma);
  phi.evaluate();
  return phi;
}

Matrix dense_hessian(const TestProblem& test, const InnerObjective& phi) {
  KernelTerms::Hessian terms;
  phi.kernels.hessian(terms, phi.samples.nested_sums().columns(phi.rho().size()));
  Matrix H = phi.curvature().asDiagonal();
  for (std::size_t k = 0; k < terms.kernels.size(); ++k)
    H += terms.weights()(static_cast<Index>(k)) * test.naive.kernels[static_cast<std::size_t>(terms.kernels[k])];
  const Matrix added = terms.low_rank().leftCols(terms.n_added);
  const Matrix subtracted = terms.low_rank().rightCols(terms.low_rank().cols() - terms.n_added);
  return H + added * added.transpose() - subtracted * subtracted.transpose();
}

using Parameters = std::tuple<LossCase, RegularizerCase, double>;

class InnerObjectiveTest : public testing::TestWithParam<Parameters> {
 protected:
  double gamma = std::get<2>(GetParam());
  TestProblem test = make_problem(std::get<0>(GetParam()), std::get<1>(GetParam()).with_alpha(0.9),
                                  {kSamples, kKernels, 6, true, true});
  Generator random{19};

  bool applies() const { return std::isfinite(gamma) || test.problem.regularizer().has_smooth_dual(); }
};

TEST_P(InnerObjectiveTest, ValueIsTheFormula) {
  if (!applies()) GTEST_SKIP() << "no smooth dual";
  const State state = random_state(test, gamma, random);
  double expected = 0;
  // Samples: min over ρ̃ of ℓ0* + Σ_j max(0, ξ_j + γh_j)²/(2γ), Eq. (41).
  const Loss& loss = test.problem.loss();
  for (Index i = 0; i < kSamples; ++i) {
    const double s = test.naive.weights(i), y = test.naive.y(i), r = state.rho(i) / s;
    const auto augmented = [&](double aux) {
      double value = loss.smooth_conjugate(y, r, aux).value;
      for (int j = 0; j < loss.n_constraints(); ++j) {
        const double t =
            std::max(0.0, state.multipliers(i, j) + state.multiplier_gamma * loss.constraint(j, y, r, aux).value);
        value += t * t / (2 * state.multiplier_gamma);
      }
      return value;
    };
    expected += s * (loss.has_auxiliary() ? golden_minimum(augmented, -20, 20) : augmented(0));
  }
  // Kernels: (1/γ)·E(‖α_m + γρ‖), Eqs. (25) and (47); G* itself for γ = ∞.
  for (Index m = 0; m < kKernels; ++m) {
    Vector coef = Vector::Zero(kSamples);
    for (std::size_t k = 0; k < state.shifted.size(); ++k)
      if (state.shifted[k] == m) coef = state.coef.col(static_cast<Index>(k));
    const Matrix& K = test.naive.kernels[static_cast<std::size_t>(m)];
    if (std::isinf(gamma)) {
      expected += referee_penalty_conjugate(test.naive.regularizer, naive_norm(K, state.rho));
      continue;
    }
    const double v = naive_norm(K, coef + gamma * state.rho);
    const auto prox_objective = [&](double x) {
      return gamma * referee_penalty(test.naive.regularizer, x) + 0.5 * (x - v) * (x - v);
    };
    expected += (0.5 * v * v - golden_minimum(prox_objective, 0, v)) / gamma;
  }
  EXPECT_NEAR(objective_at(test, state, state.rho).value(), expected, 1e-9 * (1 + std::abs(expected)));
}

TEST_P(InnerObjectiveTest, GradientIsTheDerivativeOfTheValue) {
  if (!applies()) GTEST_SKIP() << "no smooth dual";
  for (int trial = 0; trial < 3; ++trial) {
    const State state = random_state(test, gamma, random);
    const Vector gradient = objective_at(test, state, state.rho).gradient();
    for (Index i = 0; i < kSamples; ++i) {
      const auto along_axis = [&](double t) {
        return objective_at(test, state, state.rho + t * Vector::Unit(kSamples, i)).value();
      };
      const double slope = derivative(along_axis, 0, 1e-5) + state.intercept;  // the multiplier of 1ᵀρ = 0
      EXPECT_NEAR(gradient(i), slope, 1e-6 * (1 + gradient.lpNorm<Eigen::Infinity>()));
    }
  }
}

TEST_P(InnerObjectiveTest, HessianIsTheDerivativeOfTheGradient) {
  if (!applies()) GTEST_SKIP() << "no smooth dual";
  for (int trial = 0; trial < 3; ++trial) {
    const State state = random_state(test, gamma, random);
    const Matrix hessian = dense_hessian(test, objective_at(test, state, state.rho));
    const double scale = 1 + hessian.cwiseAbs().maxCoeff(), h = 1e-6;
    for (Index i = 0; i < kSamples; ++i) {
      const Vector unit = Vector::Unit(kSamples, i);
      const Vector numerical = (objective_at(test, state, state.rho + h * unit).gradient() -
                                objective_at(test, state, state.rho - h * unit).gradient()) /
                               (2 * h);
      EXPECT_LT((hessian.col(i) - numerical).lpNorm<Eigen::Infinity>(), 1e-6 * scale) << "column " << i;
    }
  }
}

TEST_P(InnerObjectiveTest, LineValuesAgreeWithFreshEvaluationAndWithTheMove) {
  if (!applies()) GTEST_SKIP() << "no smooth dual";
  const State state = random_state(test, gamma, random);
  const Vector direction = interior_point(test, random) - state.rho;  // both ends are inside, so the whole line is
  for (const double c : {0.0, 0.25, 0.8, 1.0}) {
    InnerObjective phi = objective_at(test, state, state.rho);
    phi.prepare_line(direction);
    const SlopedValue line = phi.along(c);
    const InnerObjective fresh = objective_at(test, state, state.rho + c * direction);
    const double scale = 1 + std::abs(fresh.value()) + fresh.gradient().norm() * direction.norm();
    EXPECT_NEAR(line.value, fresh.value(), 1e-11 * scale) << "c " << c;
    EXPECT_NEAR(line.slope, fresh.gradient().dot(direction), 1e-10 * scale) << "c " << c;
    phi.move(c);
    phi.evaluate();
    EXPECT_NEAR(phi.value(), fresh.value(), 1e-11 * scale);
    EXPECT_LT((phi.gradient() - fresh.gradient()).norm(), 1e-10 * (1 + fresh.gradient().norm()));
    EXPECT_EQ(phi.kernels.active(), fresh.kernels.active());
  }
}

TEST_P(InnerObjectiveTest, UpdateIsTheProximalStep) {
  if (std::isinf(gamma)) GTEST_SKIP() << "there are no coefficients without a proximal term";
  const State state = random_state(test, gamma, random);
  InnerObjective phi = objective_at(test, state, state.rho);
  double movement = 0;
  Vector predictions = Vector::Zero(kSamples);
  std::vector<Vector> expected(kKernels, Vector::Zero(kSamples));
  for (Index m = 0; m < kKernels; ++m) {
    Vector coef = Vector::Zero(kSamples);
    for (std::size_t k = 0; k < state.shifted.size(); ++k)
      if (state.shifted[k] == m) coef = state.coef.col(static_cast<Index>(k));
    const Matrix& K = test.naive.kernels[static_cast<std::size_t>(m)];
    const Vector target = coef + gamma * state.rho;
    const double v = naive_norm(K, target), x = test.problem.regularizer().prox(v, gamma);
    Vector& next = expected[static_cast<std::size_t>(m)];
    next = x / v * target;  // Eq. (11)
    predictions += K * next;
    movement += std::pow(naive_norm(K, next - coef), 2) / (2 * gamma);
  }
  EXPECT_NEAR(phi.kernels.movement(), movement, 1e-10 * (1 + movement));
  EXPECT_LT((phi.kernels.next_predictions() - predictions).norm(), 1e-10 * (1 + predictions.norm()));

  phi.kernels.update_coefficients();
  phi.kernels.set_gamma(10 * gamma);
  EXPECT_EQ(phi.kernels.gamma(), 10 * gamma);
  const std::vector<Index> kernels = phi.kernels.coefficient_kernels();
  const Matrix coefficients = phi.kernels.coefficients();
  Vector seen = Vector::Zero(kKernels);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const Vector& wanted = expected[static_cast<std::size_t>(kernels[k])];
    seen(kernels[k]) = 1;
    EXPECT_LT((coefficients.col(static_cast<Index>(k)) - wanted).norm(), 1e-10 * (1 + wanted.norm()));
  }
  for (Index m = 0; m < kKernels; ++m)
    if (seen(m) == 0) EXPECT_EQ(expected[static_cast<std::size_t>(m)].norm(), 0) << "kernel " << m << " was dropped";
}

TEST_P(InnerObjectiveTest, MultipliersAreUpdatedByTheirConstraints) {
  if (!applies()) GTEST_SKIP() << "no smooth dual";
  const State state = random_state(test, gamma, random);
  InnerObjective phi = objective_at(test, state, state.rho);
  const double movement = phi.samples.multiplier_movement(state.rho);
  phi.samples.update_multipliers(state.rho);
  const Matrix& next = phi.samples.multipliers();
  ASSERT_EQ(next.cols(), test.problem.loss().n_constraints());
  if (next.cols() == 0) return;
  EXPECT_GE(next.minCoeff(), 0);
  double expected = 0;
  for (Index i = 0; i < kSamples; ++i)
    expected +=
        test.naive.weights(i) * (next.row(i) - state.multipliers.row(i)).squaredNorm() / (2 * state.multiplier_gamma);
  EXPECT_NEAR(movement, expected, 1e-12 * (1 + expected));
  if (test.problem.loss().has_auxiliary()) return;  // ρ̃ is internal
  for (Index i = 0; i < kSamples; ++i)
    for (int j = 0; j < static_cast<int>(next.cols()); ++j) {
      const double h =
          test.problem.loss().constraint(j, test.naive.y(i), state.rho(i) / test.naive.weights(i), 0).value;
      EXPECT_NEAR(next(i, j), std::max(0.0, state.multipliers(i, j) + state.multiplier_gamma * h), 1e-13);
    }
}

INSTANTIATE_TEST_SUITE_P(Each, InnerObjectiveTest,
                         testing::Combine(testing::ValuesIn(each_loss()), testing::ValuesIn(each_regularizer()),
                                          testing::Values(0.3, 20.0, kInfinity)),
                         [](const auto& info) {
                           const double gamma = std::get<2>(info.param);
                           return label(std::get<0>(info.param)) + "_" + label(std::get<1>(info.param)) + "_gamma" +
                                  (std::isinf(gamma) ? "_infinite" : digits(gamma));
                         });

TEST(InactiveKernelTest, InactiveAtBothEndsStaysInactiveBetween) {
  // Section 3.5.1: ‖ρ + cΔ‖ is convex in c. Many random lines; the threshold is set so that about half are inactive.
  Generator random(23);
  Index inactive_lines = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const TestProblem test = make_problem({"squared"}, {"block1", 2.0}, {kSamples, kKernels, seed});
    State state;
    state.gamma = 1;
    state.shifted = {};
    state.coef = Matrix(kSamples, 0);
    const Vector start = normal_vector(kSamples, random), end = normal_vector(kSamples, random);
    const auto active_at = [&](double c) {
      return objective_at(test, state, start + c * (end - start)).kernels.active();
    };
    const auto contains = [](const std::vector<Index>& set, Index k) {
      return std::find(set.begin(), set.end(), k) != set.end();
    };
    for (Index k = 0; k < kKernels; ++k) {
      if (contains(active_at(0), k) || contains(active_at(1), k)) continue;
      ++inactive_lines;
      for (double c = 0.1; c < 1; c += 0.1) EXPECT_FALSE(contains(active_at(c), k));
    }
  }
  EXPECT_GT(inactive_lines, 5) << "the test must have something to look at";
}

TEST(MaxStepTest, LinesAndBentStepsStayInsideTheDomainOfTheEntropy) {
  const TestProblem test = make_problem({"logistic"}, {"block1"}, {kSamples, kKernels, 2, true, true});
  Generator random(3);
  const SampleTerms samples(test.problem);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector rho = interior_point(test, random), direction = 3 * normal_vector(kSamples, random);
    const double step = samples.max_step(rho, direction);
    ASSERT_GT(step, 0);
    ASSERT_LE(step, 1);
    for (Index i = 0; i < kSamples; ++i) {
      const double p = test.naive.y(i) * (rho(i) + step * direction(i)) / test.naive.weights(i);
      EXPECT_GT(p, 0);
      EXPECT_LT(p, 1);
    }
    const Vector bent = samples.inside(rho, direction);
    EXPECT_EQ(samples.max_step(rho, bent), 1);
    for (Index i = 0; i < kSamples; ++i) {
      EXPECT_GE(bent(i) * direction(i), 0);
      EXPECT_LE(std::abs(bent(i)), std::abs(direction(i)));
    }
  }
}

TEST(SampleTerms, TheSharpAnswerIsInsideTheDomainHoweverFarPredictionsAre) {
  const TestProblem test = make_problem({"logistic"}, {"block1"}, {.n = 40, .m = 2, .weighted = true});
  SampleTerms samples(test.problem);
  for (const double size : {0.1, 10.0, 100.0, 1e4}) {
    Generator random(5);
    const Vector z = size * normal_vector(40, random);
    const Vector rho = samples.sharp_answer(z);
    Vector gradient(40), curvature(40);
    samples.value_and_gradient(rho, gradient, &curvature);
    EXPECT_TRUE(gradient.allFinite() && curvature.allFinite()) << size;
    EXPECT_GT(curvature.minCoeff(), 0) << size;
    if (size > 10) continue;  // from e^30 or so on double precision cannot tell some of them from their bound
    EXPECT_LE((gradient + z).lpNorm<Eigen::Infinity>(), 1e-3 * size) << "∇ψ(ρ̄) = −z";
  }
}

}  // namespace
