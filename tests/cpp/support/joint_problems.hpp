// Problems of several outputs and of survival, with primal and dual values from their definitions in plain loops.
#pragma once

#include "bank/outputs_bank.hpp"
#include "support/problems.hpp"

namespace testing_support {

struct JointCase {
  std::string loss = "multinomial";
  RegularizerCase regularizer = {"block1"};
  Index n = 30, m = 6, outputs = 3;
  bool intercept = true, weighted = false;
  Index covariates = 0;
  std::uint64_t seed = 1;

  bool survival() const { return loss == "cox"; }
};

/// I ⊗ K
inline Matrix repeated(const Matrix& K, Index outputs) {
  Matrix whole = Matrix::Zero(K.rows() * outputs, K.cols() * outputs);
  for (Index k = 0; k < outputs; ++k) whole.block(k * K.rows(), k * K.cols(), K.rows(), K.cols()) = K;
  return whole;
}

struct JointProblem {
  JointCase what;
  std::vector<Matrix> kernels;
  Vector labels, weights;  ///< labels of all outputs, one weight per row
  Matrix covariates;
  spicymkl::Problem problem;

  Index n_rows() const { return kernels.front().rows(); }
};

inline Vector labels_of(const JointCase& what, const Samples& samples, Generator& random) {
  const Index n = what.n;
  if (what.survival()) {  // ranks with ties; every third sample is lost
    Vector ranks(n);
    for (Index i = 0; i < n; ++i)
      ranks(i) = (i % 3 == 2 ? -1 : 1) * std::max(1.0, std::round(n / 3.0 + 3 * samples.targets(i)));
    return ranks;
  }
  if (LossCase{what.loss}.classifies()) return samples.classes;
  Vector labels = Vector::Zero(n * what.outputs);
  if (what.loss != "multinomial") {
    for (Index k = 0; k < what.outputs; ++k)
      labels.segment(k * n, n) = (k + 1) * samples.targets + 0.2 * normal_vector(n, random);
    return labels;
  }
  for (Index i = 0; i < n; ++i) {
    const Index k =
        i < what.outputs ? i : static_cast<Index>(std::floor(3 * std::abs(samples.targets(i)))) % what.outputs;
    labels(k * n + i) = 1;
  }
  return labels;
}

inline JointProblem make_joint_problem(const JointCase& what) {
  Generator random(what.seed);
  const Samples samples = random_samples(what.n, random);
  std::vector<Matrix> kernels = random_kernels(samples.X, what.m, random);
  const Vector labels = labels_of(what, samples, random);
  const Matrix covariates = normal_matrix(what.n, what.covariates, random);
  const Vector weights = what.weighted ? samples.weights : Vector(Vector::Ones(what.n));
  const auto bank = spicymkl::with_outputs(bank_of(kernels), what.survival() ? 1 : what.outputs);
  spicymkl::Problem problem(bank, labels, spicymkl::make_loss(what.loss), what.regularizer.make(),
                            {what.intercept && !what.survival(), covariates}, weights);
  return {what, std::move(kernels), labels, weights, covariates, std::move(problem)};
}

/// alpha as a part of max_m ‖ρ₀‖_Km.
inline JointProblem make_joint_problem_at(double fraction, JointCase what) {
  JointCase unit = what;
  unit.regularizer = {"block1"};
  what.regularizer = what.regularizer.with_alpha(fraction * alpha_max(make_joint_problem(unit).problem));
  return make_joint_problem(what);
}

/// Σ over events of s_i[log Σ_{at risk} s_j exp f_j − f_i − log s_i]
inline double naive_cox(const Vector& ranks, const Vector& s, const Vector& f) {
  double sum = 0;
  for (Index i = 0; i < ranks.size(); ++i) {
    if (ranks(i) < 0) continue;
    double at_risk = 0;
    for (Index j = 0; j < ranks.size(); ++j)
      if (std::abs(ranks(j)) >= ranks(i)) at_risk += s(j) * std::exp(f(j) - f(i));
    sum += s(i) * (std::log(at_risk) - std::log(s(i)));
  }
  return sum;
}

inline double naive_multinomial(const Vector& y, const Vector& s, const Vector& z) {
  const Index n = s.size();
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    double total = 0, own = 0;
    for (Index k = 0; k < y.size() / n; ++k) {
      total += std::exp(z(k * n + i));
      own += y(k * n + i) * z(k * n + i);
    }
    sum += s(i) * (std::log(total) - own);
  }
  return sum;
}

inline double naive_loss(const JointProblem& test, const Vector& z) {
  if (test.what.survival()) return naive_cox(test.labels, test.weights, z);
  if (test.what.loss == "multinomial") return naive_multinomial(test.labels, test.weights, z);
  double sum = 0;
  for (Index e = 0; e < z.size(); ++e)
    sum += test.weights(e % test.n_rows()) * referee_loss({test.what.loss}, test.labels(e), z(e));
  return sum;
}

/// Predictions of the stored model and the norms of its kernels, block by block.
inline double naive_primal(const JointProblem& test, const spicymkl::Expansion& model) {
  const Index n = test.n_rows(), outputs = model.dual.size() / n;
  Vector z = Vector::Zero(model.dual.size());
  double value = 0;
  for (std::size_t k = 0; k < model.kernels.size(); ++k) {
    double square = 0;
    for (Index o = 0; o < outputs; ++o) {
      const Vector alpha = model.scale(static_cast<Index>(k)) * model.dual.segment(o * n, n);
      z.segment(o * n, n) += test.kernels[static_cast<std::size_t>(model.kernels[k])] * alpha;
      square += std::pow(naive_norm(test.kernels[static_cast<std::size_t>(model.kernels[k])], alpha), 2);
    }
    value += referee_penalty(test.what.regularizer, std::sqrt(square));
  }
  const bool ones = test.what.intercept || test.what.survival();
  for (Index o = 0; o < outputs; ++o) {
    if (ones) z.segment(o * n, n).array() += model.unpenalised(0, o);
    for (Index c = 0; c < test.covariates.cols(); ++c)
      z.segment(o * n, n) += model.unpenalised(c + (ones ? 1 : 0), o) * test.covariates.col(c);
  }
  return value + naive_loss(test, z);
}

/// −∇L of naive_cox
inline Vector naive_cox_dual(const Vector& ranks, const Vector& s, const Vector& f) {
  Vector rho = Vector::Zero(ranks.size());
  for (Index i = 0; i < ranks.size(); ++i) {
    if (ranks(i) < 0) continue;
    double largest = -kInfinity, at_risk = 0;
    for (Index j = 0; j < ranks.size(); ++j)
      if (std::abs(ranks(j)) >= ranks(i)) largest = std::max(largest, f(j));
    for (Index j = 0; j < ranks.size(); ++j)
      if (std::abs(ranks(j)) >= ranks(i)) at_risk += s(j) * std::exp(f(j) - largest);
    rho(i) += s(i);
    for (Index j = 0; j < ranks.size(); ++j)
      if (std::abs(ranks(j)) >= ranks(i)) rho(j) -= s(i) * s(j) * std::exp(f(j) - largest) / at_risk;
  }
  return rho;
}

/// L*(−ρ) = sup over f of −ρᵀf − L(f). The loss says where that is largest, and its gradient proves it; infinite where
/// it does not.
inline double naive_cox_conjugate(const JointProblem& test, const Vector& rho) {
  const Vector f = test.problem.joint_loss()->answering(rho);
  const double error = (naive_cox_dual(test.labels, test.weights, f) - rho).lpNorm<Eigen::Infinity>();
  if (error > 1e-9 * (1 + rho.lpNorm<Eigen::Infinity>())) return kInfinity;
  return -rho.dot(f) - naive_cox(test.labels, test.weights, f);
}

/// L*(−ρ), entry by entry where it splits.
inline double naive_conjugate(const JointProblem& test, const Vector& rho) {
  const Index n = test.n_rows();
  double sum = 0;
  if (test.what.survival()) return naive_cox_conjugate(test, rho);
  if (test.what.loss == "multinomial") {
    for (Index e = 0; e < rho.size(); ++e) {
      const double p = test.labels(e) - rho(e) / test.weights(e % n);
      if (p < -1e-12) return kInfinity;
      if (p > 0) sum += test.weights(e % n) * p * std::log(p);
    }
    return sum;
  }
  for (Index e = 0; e < rho.size(); ++e)
    sum += test.weights(e % n) * referee_conjugate({test.what.loss}, test.labels(e), rho(e) / test.weights(e % n));
  return sum;
}

/// −L*(−ρ) − ΣG*(‖ρ‖_Km) with the given value of the conjugate; −∞ where a constraint is violated.
inline double naive_dual(const JointProblem& test, Vector rho, double conjugate) {
  const Index n = test.n_rows(), outputs = rho.size() / n;
  const double limit = 1e-9 * std::max(rho.lpNorm<1>(), 1e-300);
  for (Index o = 0; o < outputs; ++o) {
    if ((test.what.intercept || test.what.survival()) && std::abs(rho.segment(o * n, n).sum()) > limit)
      return -kInfinity;
    for (Index c = 0; c < test.covariates.cols(); ++c)
      if (std::abs(rho.segment(o * n, n).dot(test.covariates.col(c))) > 10 * limit) return -kInfinity;
  }
  if (test.what.loss == "multinomial")
    for (Index i = 0; i < n; ++i) {
      double row = 0;
      for (Index o = 0; o < outputs; ++o) row += rho(o * n + i);
      if (std::abs(row) > limit) return -kInfinity;
    }
  double value = -conjugate;
  for (const Matrix& K : test.kernels) {
    double square = 0;
    for (Index o = 0; o < outputs; ++o) square += std::pow(naive_norm(K, rho.segment(o * n, n)), 2);
    value -= referee_penalty_conjugate(test.what.regularizer, std::sqrt(square), 1e-9);
  }
  return value;
}

}  // namespace testing_support
