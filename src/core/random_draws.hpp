// Random numbers that are the same on every machine: the standard fixes the generator, but not its distributions.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

class RandomDraws {
 public:
  explicit RandomDraws(std::uint64_t seed) : generator_(seed) {}

  /// Uniform in [0, 1), a multiple of 2⁻⁵³.
  double uniform() { return static_cast<double>(generator_() >> 11) * 0x1.0p-53; }
  /// Uniform in 0 … n − 1.
  Index below(Index n) { return static_cast<Index>(uniform() * static_cast<double>(n)); }
  /// χ² with one degree of freedom: the square of a normal number, by Box and Muller.
  double chi_squared() {
    const double radius = -2 * std::log(1 - uniform());
    const double cosine = std::cos(2 * std::numbers::pi * uniform());
    return radius * cosine * cosine;
  }
  /// A subset of 0 … n − 1 of that size, all being equally likely, in order.
  std::vector<Index> subset(Index n, Index size) {
    std::vector<Index> indices;
    for (Index j = 0; j < n && size > 0; ++j) {  // j is in with the probability that keeps all subsets equally likely
      if (below(n - j) >= size) continue;
      indices.push_back(j);
      --size;
    }
    return indices;
  }
  /// Every order of the list is equally likely (Fisher and Yates).
  void shuffle(std::vector<Index>& list) {
    for (auto n = std::ssize(list); n > 1; --n) std::swap(list[n - 1], list[below(n)]);
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace spicymkl
