// Random problems: kernels of many kinds, labels that depend on the data, and the problem in both forms, the library's
// and the referee's.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "spicymkl/bank/stored_bank.hpp"
#include "spicymkl/problem/certificate.hpp"
#include "spicymkl/solver/result.hpp"
#include "support/catalogue.hpp"
#include "support/referee.hpp"

namespace testing_support {

using spicymkl::Index;
using spicymkl::Matrix;
using spicymkl::Vector;

using Generator = std::mt19937_64;

inline Vector normal_vector(Index n, Generator& random) {
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(n, [&] { return normal(random); });
}

inline Matrix normal_matrix(Index rows, Index columns, Generator& random) {
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(random); });
}

inline Matrix gaussian_kernel(const Matrix& X, double width) {
  const Index n = X.rows();
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) K(i, j) = std::exp(-(X.row(i) - X.row(j)).squaredNorm() / (2 * width * width));
  return K;
}

/// Gaussian, linear and quadratic kernels on one to three random columns of X.
inline std::vector<Matrix> random_kernels(const Matrix& X, Index count, Generator& random) {
  std::uniform_real_distribution<double> width(0.3, 3);
  std::uniform_int_distribution<Index> column(0, X.cols() - 1), columns(1, 3);
  std::vector<Matrix> kernels;
  for (Index m = 0; m < count; ++m) {
    Matrix part(X.rows(), columns(random));
    for (Index c = 0; c < part.cols(); ++c) part.col(c) = X.col(column(random));
    const Matrix inner = part * part.transpose();
    if (m % 4 == 3) kernels.push_back(inner);
    else if (m % 4 == 2) kernels.push_back((inner.array() + 1).square().matrix() / 10);
    else kernels.push_back(gaussian_kernel(part, width(random)));
    // Products in another order round differently: Gram matrices are symmetric to the last bit.
    kernels.back() = (kernels.back() + kernels.back().transpose()).eval() / 2;
  }
  return kernels;
}

/// Replaces some kernels by awkward ones: a duplicate, rank one, zero, and the scales 1e-6 and 1e6.
inline void make_awkward(std::vector<Matrix>& kernels, Generator& random) {
  const Index n = kernels.front().rows();
  const std::size_t M = kernels.size();
  const Vector v = normal_vector(n, random);
  kernels[1 % M] = kernels[0];
  kernels[2 % M] = v * v.transpose();
  kernels[3 % M].setZero();
  kernels[4 % M] *= 1e-6;
  kernels[5 % M] *= 1e6;
}

struct Samples {
  Matrix X;
  Vector classes;  ///< ±1, both present
  Vector targets;  ///< real numbers
  Vector weights;  ///< between 0.2 and 3
};

inline Samples random_samples(Index n, Generator& random) {
  Samples samples{normal_matrix(n, 6, random), Vector(n), Vector(n), Vector(n)};
  std::uniform_real_distribution<double> weight(0.2, 3);
  const Vector noise = normal_vector(n, random);
  for (Index i = 0; i < n; ++i) {
    const double signal = std::sin(2 * samples.X(i, 0)) + 0.7 * samples.X(i, 1) * samples.X(i, 2);
    samples.targets(i) = 0.5 + signal + 0.3 * noise(i);
    samples.classes(i) = signal + 0.4 * noise(i) > 0.2 ? 1 : -1;
    samples.weights(i) = weight(random);
  }
  samples.classes(0) = 1;
  samples.classes(1) = -1;
  return samples;
}

inline std::shared_ptr<const spicymkl::DenseBank> bank_of(std::vector<Matrix> kernels, int threads = 1,
                                                          std::vector<std::string> names = {}) {
  const auto owner = std::make_shared<const std::vector<Matrix>>(std::move(kernels));
  std::vector<const double*> grams;
  for (const Matrix& K : *owner) grams.push_back(K.data());
  const Index n = owner->empty() ? 0 : owner->front().rows();
  return std::make_shared<const spicymkl::DenseBank>(std::move(grams), n, std::move(names), threads, owner);
}

/// What a test asks for.
struct ProblemSpec {
  Index n = 30;
  Index m = 8;
  std::uint64_t seed = 1;
  bool fit_intercept = true;
  bool weighted = false;
  bool awkward = false;
  int threads = 1;  // small problems: threads would wait for each other more than work
};

/// The same problem twice: for the library and for the referee.
struct TestProblem {
  RefereeProblem naive;
  spicymkl::Problem problem;
};

inline TestProblem assemble(std::vector<Matrix> kernels, const Samples& samples, const LossCase& loss,
                            const RegularizerCase& regularizer, const ProblemSpec& spec) {
  const Vector& y = loss.classifies() ? samples.classes : samples.targets;
  const Vector weights = spec.weighted ? samples.weights : Vector(Vector::Ones(y.size()));
  auto bank = bank_of(kernels, spec.threads);
  return {{std::move(kernels), y, weights, loss, regularizer, spec.fit_intercept},
          spicymkl::Problem(std::move(bank), y, loss.make(), regularizer.make(), spec.fit_intercept,
                            spec.weighted ? weights : Vector())};
}

inline TestProblem make_problem(const LossCase& loss, const RegularizerCase& regularizer, const ProblemSpec& spec) {
  Generator random(spec.seed);
  const Samples samples = random_samples(spec.n, random);
  std::vector<Matrix> kernels = random_kernels(samples.X, spec.m, random);
  if (spec.awkward) make_awkward(kernels, random);
  return assemble(std::move(kernels), samples, loss, regularizer, spec);
}

/// The same with alpha = fraction · max_m ‖ρ₀‖_Km, a natural unit for every regulariser.
inline TestProblem make_problem_at(double fraction, const LossCase& loss, const RegularizerCase& regularizer,
                                   const ProblemSpec& spec) {
  const double unit = alpha_max(make_problem(loss, {"block1"}, spec).problem);
  return make_problem(loss, regularizer.with_alpha(fraction * unit), spec);
}

/// Primal, dual and gap of a certificate, recomputed by the referee from the stored model.
struct RefereeVerdict {
  double primal, dual, gap;
};

inline RefereeVerdict referee_verdict(const RefereeProblem& naive, const spicymkl::Expansion& model,
                                      const Vector& dual) {
  RefereeVerdict verdict{referee_primal(naive, model.dual, model.kernels, model.scale,
                                        model.unpenalised.size() > 0 ? model.unpenalised(0) : 0),
                         referee_dual(naive, dual), 0};
  verdict.gap = std::max((verdict.primal - verdict.dual) / verdict.primal, 0.0);
  return verdict;
}

/// The gap of a result is the referee's, to 1e-9, and the allowance for rounding in the primal value, which the referee
/// does without.
inline void expect_gap_of(const RefereeVerdict& verdict, const spicymkl::Problem& problem,
                          const spicymkl::Result& result) {
  const double allowance = spicymkl::primal_value(problem, result.expansion).rounding / verdict.primal;
  EXPECT_GE(result.certificate.relative_gap, verdict.gap - 1e-9);
  EXPECT_LE(result.certificate.relative_gap, verdict.gap + allowance + 1e-9);
  EXPECT_LE(allowance, 1e-7) << "no more than double precision takes away";
}

}  // namespace testing_support
