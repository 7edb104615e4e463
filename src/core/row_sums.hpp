// Sums over long columns, several of them in one reading.
#pragma once

#include <algorithm>

#include "renew.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

inline constexpr double kFromMemory = 4;  ///< multiplications that a number from far away takes

/// `count` sums for each of some items, by as many threads as there are, however few the items. The same bits for any
/// number of threads.
template <int count>
class RowSums {
 public:
  using Sums = Eigen::Matrix<double, count, 1>;

  /// part(item, first, rows) are the sums of an item over the rows [first, first + rows): what it reads more than once
  /// stays in the cache.
  template <class Part>
  void sum(Index n_items, Index n_rows, int threads, const Part& part) {
    constexpr Index kTogether = 2048;
    const Index n_blocks = std::max<Index>(1, (n_rows + kTogether - 1) / kTogether);
    renew(of_blocks_, count, n_items * n_blocks);
    const double cost = kFromMemory * static_cast<double>(n_rows) / static_cast<double>(n_blocks);
    parallel_for(of_blocks_.cols(), threads, cost, [&](Index begin, Index end) {
      for (Index unit = begin; unit < end; ++unit) {
        const Index first = unit % n_blocks * kTogether;
        of_blocks_.col(unit) = part(unit / n_blocks, first, std::min(kTogether, n_rows - first));
      }
    });
    renew(sums_, count, n_items);
    for (Index item = 0; item < n_items; ++item)
      sums_.col(item) = of_blocks_.middleCols(item * n_blocks, n_blocks).rowwise().sum();
  }

  Sums of(Index item) const { return sums_.col(item); }

 private:
  Eigen::Matrix<double, count, Eigen::Dynamic> of_blocks_, sums_;
};

}  // namespace spicymkl
