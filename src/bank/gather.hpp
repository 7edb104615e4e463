// The Gram matrices of some samples, cut out of larger ones.
#pragma once

#include "core/large_room.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

/// Matrices of one size, one after the other.
template <class Number>
struct GatheredGrams {
  std::shared_ptr<Number[]> values;
  std::vector<const Number*> grams;
};

/// Entry (i, j) of each new matrix is entry (rows[i], rows[j]) of the old one, which has n rows.
template <class Number>
std::shared_ptr<const GatheredGrams<Number>> gather(const std::vector<const Number*>& grams, Index n,
                                                    const std::vector<Index>& rows, int threads) {
  const std::size_t size = rows.size();
  auto gathered = std::make_shared<GatheredGrams<Number>>();
  gathered->values = large_room<Number>(grams.size() * size * size);
  for (std::size_t m = 0; m < grams.size(); ++m) gathered->grams.push_back(gathered->values.get() + m * size * size);
  const double cost = static_cast<double>(size * size);
  parallel_for(std::ssize(grams), threads, cost, [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) {
      Number* target = gathered->values.get() + m * size * size;
      for (const Index column : rows)
        for (const Index row : rows) *target++ = grams[m][column * n + row];
    }
  });
  return gathered;
}

}  // namespace spicymkl
