// Loops over the samples of a problem, on the threads of its bank.
#pragma once

#include "core/compensated_sum.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

inline constexpr double kSampleCost = 150;          // of one term of a loss, in multiplications or so
inline constexpr Index kSamplesTogether = 1 << 11;  // whose sum is taken in one go, whatever the number of threads

/// Losses of users are asked by one thread.
inline int threads_over_samples(const Problem& problem) {
  return problem.loss().concurrent() ? problem.bank().threads() : 1;
}

/// Calls body(i) for every sample.
template <class Body>
void for_each_sample(const Problem& problem, const Body& body) {
  parallel_for(problem.n_samples(), threads_over_samples(problem), kSampleCost, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) body(i);
  });
}

/// Σ term(i) over samples [first, first + count), the same bits for any number of threads.
template <class Term>
double sum_over_samples(const Problem& problem, Index first, Index count, const Term& term) {
  const auto sum_of = [&](Index begin, Index end) {
    CompensatedSum sum;
    for (Index i = begin; i < end; ++i) sum += term(i);
    return sum.value();
  };
  if (count <= kSamplesTogether) return sum_of(first, first + count);
  const Index blocks = (count + kSamplesTogether - 1) / kSamplesTogether;
  Vector sums(blocks);
  const double cost = kSampleCost * static_cast<double>(kSamplesTogether);
  parallel_for(blocks, threads_over_samples(problem), cost, [&](Index begin, Index end) {
    for (Index block = begin; block < end; ++block) {
      const Index from = first + block * kSamplesTogether;
      sums(block) = sum_of(from, std::min(from + kSamplesTogether, first + count));
    }
  });
  CompensatedSum sum;
  for (const double part : sums) sum += part;
  return sum.value();
}

template <class Term>
double sum_over_samples(const Problem& problem, const Term& term) {
  return sum_over_samples(problem, 0, problem.n_samples(), term);
}

}  // namespace spicymkl
