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

/// The generator of Steele, Lea and Flood (2014), from which generated data come.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// Draws from a generator of 64 random bits at a time.
template <class Generator>
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : generator_(seed) {}

  /// Uniform in [0, 1), a multiple of 2⁻⁵³.
  double uniform() { return static_cast<double>(generator_() >> 11) * 0x1.0p-53; }
  /// Uniform in 0 … n − 1.
  Index below(Index n) { return static_cast<Index>(uniform() * static_cast<double>(n)); }
  /// Normal with mean 0 and variance 1, by Box and Muller.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  /// χ² with one degree of freedom: the square of a normal number.
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
    for (Index n = std::ssize(list); n > 1; --n) std::swap(list[n - 1], list[below(n)]);
  }

 private:
  Generator generator_;
};

using RandomDraws = Draws<std::mt19937_64>;

}  // namespace spicymkl
