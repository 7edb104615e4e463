// Gram matrices tile by tile, where kernels that differ only in how they map a base value (widths, say) share its
// computation.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/watch.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

inline constexpr Index kTile = 128;       // base values and one mapped copy stay in the second-level cache
inline constexpr Index kSliceLength = 8;  // kernels of a family that share one sweep over the base values

/// Positions of a set, kernels of one family, at most kSliceLength of them.
using Slice = std::vector<Index>;

/// Of every kernel the number of its family: those with the same base on the same columns.
inline std::vector<Index> families_of(const std::vector<FittedKernel>& kernels) {
  std::map<std::pair<Base, std::vector<Index>>, Index> numbers;
  std::vector<Index> family;
  for (const FittedKernel& kernel : kernels)
    family.push_back(
        numbers.emplace(std::pair(kernel.base(), kernel.spec().columns), static_cast<Index>(numbers.size()))
            .first->second);
  return family;
}

inline std::vector<Slice> slices_of(KernelSet set, const std::vector<Index>& family) {
  std::map<Index, std::vector<Index>> by_family;
  for (std::size_t k = 0; k < set.size(); ++k)
    by_family[family[static_cast<std::size_t>(set[k])]].push_back(static_cast<Index>(k));
  std::vector<Slice> slices;
  for (const auto& [key, positions] : by_family)
    for (std::size_t first = 0; first < positions.size(); first += kSliceLength)
      slices.emplace_back(
          positions.begin() + static_cast<std::ptrdiff_t>(first),
          positions.begin() + static_cast<std::ptrdiff_t>(std::min(positions.size(), first + kSliceLength)));
  return slices;
}

/// Kernels of one family on some rows.
struct SlicedKernels {
  std::vector<const FittedKernel*> kernels;
  std::vector<Vector> terms;  ///< what normalisation needs of each row; empty where it needs nothing
};

inline ConstVectorRef part_of(const Vector& terms, Index first, Index size) {
  return terms.size() == 0 ? ConstVectorRef(terms) : ConstVectorRef(terms.segment(first, size));
}

/// Calls visit(k, row, column, tile) for each kernel k of a slice and each tile of the lower triangle of its Gram
/// matrix on these rows in the strip of kTile columns from `column` on: tile(i, j) is entry (row + i, column + j). On
/// the diagonal the tile is complete, jitter included. Ends early when `stop` says so.
template <class Visit>
void for_each_tile_of_strip(const SlicedKernels& slice, const Points& points, Index n, Index column, StopCheck& stop,
                            const Visit& visit) {
  Matrix base_buffer(kTile, kTile), tile_buffer(kTile, kTile);
  const Index width = std::min(kTile, n - column);
  for (Index row = column; row < n && !stop.skip(); row += kTile) {
    const Index height = std::min(kTile, n - row);
    auto base = base_buffer.topLeftCorner(height, width);
    auto tile = tile_buffer.topLeftCorner(height, width);
    base_block(points, row, points, column, base);
    for (std::size_t k = 0; k < slice.kernels.size(); ++k) {
      const FittedKernel& kernel = *slice.kernels[k];
      const Vector& terms = slice.terms[k];
      tile = base;
      kernel.finish(tile, part_of(terms, row, height), part_of(terms, column, width));
      if (row == column)
        for (Index j = 0; j < width; ++j) tile(j, j) += kernel.scaled_jitter(terms.size() == 0 ? 1 : terms(column + j));
      visit(k, row, column, tile);
    }
  }
}

/// Writes the Gram matrix of every kernel on its training samples: storage(m) is the address of its N×N numbers.
/// Throws Stopped when the watch says so.
template <class Storage>
void fill_grams(const Samples& training, const std::vector<const FittedKernel*>& kernels,
                const std::vector<Index>& family, int threads, const Watch& watch, const Storage& storage) {
  const Index n = training.n_rows();
  const std::vector<Slice> slices = slices_of(all_kernels(static_cast<Index>(kernels.size())), family);
  const Index strips = (n + kTile - 1) / kTile, pairs = (strips + 1) / 2;
  const double cost = 10 * static_cast<double>(n) * static_cast<double>(kTile);
  WatchedTask task(watch, "computing kernels", static_cast<Index>(kernels.size()));
  StopCheck stop(watch);
  // Strips get shorter: each is taken together with its counterpart from the end, so that all items cost the same.
  parallel_for(static_cast<Index>(slices.size()) * pairs, threads, cost, [&](Index begin, Index end) {
    for (Index item = begin; item < end && !stop.skip(); ++item) {
      const Slice& slice = slices[static_cast<std::size_t>(item / pairs)];
      SlicedKernels sliced;
      for (const Index m : slice) {
        sliced.kernels.push_back(kernels[static_cast<std::size_t>(m)]);
        sliced.terms.push_back(sliced.kernels.back()->training_terms(training));
      }
      const Points points = sliced.kernels.front()->points(training);
      const auto write = [&](std::size_t k, Index row, Index column, const auto& tile) {
        auto* gram = storage(slice[k]);
        using Number = std::remove_pointer_t<decltype(gram)>;
        Eigen::Map<Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>> out(gram, n, n);
        out.block(row, column, tile.rows(), tile.cols()) = tile.template cast<Number>();
        if (row != column) {
          out.block(column, row, tile.cols(), tile.rows()) = tile.transpose().template cast<Number>();
        } else {  // normalisation may round the two halves of a tile on the diagonal differently
          auto square = out.block(row, row, tile.rows(), tile.rows());
          square.template triangularView<Eigen::StrictlyUpper>() = square.transpose();
        }
      };
      const Index strip = item % pairs;
      for_each_tile_of_strip(sliced, points, n, strip * kTile, stop, write);
      if (strips - 1 - strip != strip)
        for_each_tile_of_strip(sliced, points, n, (strips - 1 - strip) * kTile, stop, write);
      if (strip == pairs - 1) task.advance(static_cast<Index>(slice.size()));
    }
  });
  stop.finish();
}

}  // namespace spicymkl
