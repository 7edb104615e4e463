#include "alpha_in_time.hpp"

#include <fmt/format.h>

#include <cmath>

namespace spicymkl {

namespace {

constexpr Index kFewRows = 400;

/// In a sum over pairs of rows, each pair of the few stands for (N/n)² of all: the weights of Problem::on_samples.
AlphaMax from_few_rows(const Problem& problem) {
  std::vector<Index> rows;
  const Index n_rows = problem.n_rows(), n = kFewRows;
  if (n_rows <= n) return {alpha_max(problem), ""};
  for (Index i = 0; i < n; ++i) rows.push_back(i * n_rows / n);
  if (problem.lacks_labels(rows)) throw Stopped();
  const auto bank = problem.bank().on_samples(rows);
  if (bank == nullptr) throw Stopped();
  return {alpha_max(problem.on_samples(rows, bank)), fmt::format("{} of {} rows", n, n_rows)};
}

/// ‖ρ‖_Km ≤ √trace(K_m)·‖ρ‖
AlphaMax from_traces(const Problem& problem) {
  const double size = problem.best_constant().dual.norm(), threshold = problem.regularizer().threshold();
  double largest = 0;
  for (Index m = 0; m < problem.n_kernels(); ++m) largest = std::max(largest, problem.bank().trace(m));
  largest = std::sqrt(largest) * size;
  return {threshold > 0 ? largest * problem.regularizer().alpha() / threshold : largest, "the traces of the kernels"};
}

}  // namespace

AlphaMax alpha_max_in_time(const Problem& problem) {
  try {
    problem.bank().watch().check();
    return {alpha_max(problem), ""};
  } catch (const Stopped&) {
  }
  const WrapUp wrap_up(problem.bank().watch());
  try {
    return from_few_rows(problem);
  } catch (const Stopped&) {
    return from_traces(problem);
  }
}

}  // namespace spicymkl
