#include "spicymkl/solver/coarse_start.hpp"

#include <algorithm>

#include "spicymkl/solver/sample_terms.hpp"
#include "spicymkl/solver/scales.hpp"
#include "spicymkl/solver/solve.hpp"

namespace spicymkl {

namespace {

constexpr Index kFewSamples = 400;   // below this number of samples the whole problem is as quick
constexpr Index kPart = 4;           // one sample in so many
constexpr Index kBlock = 8;          // samples taken together: they share cache lines of the Gram matrices
constexpr double kTolerance = 0.02;  // finer than what a part of the samples can tell

/// Blocks of neighbours, evenly spread.
std::vector<Index> every_fourth_block(Index n) {
  std::vector<Index> rows;
  for (Index first = 0; first < n; first += kPart * kBlock)
    for (Index i = first; i < std::min(first + kBlock, n); ++i) rows.push_back(i);
  return rows;
}

/// The predictor of the part, as a point of the whole problem: its coefficients are 0 on the other samples.
WarmStart extend(const Problem& problem, const std::vector<Index>& rows, const Expansion& part) {
  Vector dual = Vector::Zero(problem.n_samples());
  dual(rows) = part.dual;
  WarmStart start;
  start.kernels = part.kernels;
  start.coef = dual * part.scale.transpose();
  start.intercept = part.intercept;
  Vector z = Vector::Zero(problem.n_samples());
  problem.bank().weighted_product(part.kernels, part.scale, dual, z);
  z.array() += part.intercept;
  SampleTerms samples(problem);
  samples.set_penalty(estimate_scales(problem).constraint_gamma);
  start.dual = samples.answer(z);
  start.multipliers = samples.multipliers();
  return start;
}

}  // namespace

WarmStart coarse_start(const Problem& problem, const Settings& settings) {
  if (problem.n_samples() < kFewSamples) return {};
  const std::vector<Index> rows = every_fourth_block(problem.n_samples());
  const Vector labels = problem.labels()(rows);
  if (labels.minCoeff() == labels.maxCoeff()) return {};  // a class too rare to be in the part
  const auto bank = problem.bank().on_samples(rows);
  if (bank == nullptr) return {};
  Settings coarse = settings;
  coarse.tol = std::max(settings.tol, kTolerance);
  coarse.callback = nullptr;
  coarse.checkpoint = nullptr;  // its states belong to another problem
  return extend(problem, rows, solve(problem.on_samples(rows, bank), coarse).expansion);
}

}  // namespace spicymkl
