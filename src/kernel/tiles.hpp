// Gram matrices tile by tile, where kernels that differ only in how they map a base value (widths, say) share its
// computation.
#pragma once

#include <algorithm>
#include <vector>

#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/watch.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

inline constexpr Index kTile = 128;       // base values and one mapped copy stay in the second-level cache
inline constexpr Index kSliceLength = 8;  // kernels of a family that share one sweep over the base values

inline Index n_tiles(Index n) { return (n + kTile - 1) / kTile; }
inline Index tile_size(Index first, Index n) { return std::min(kTile, n - first); }

/// The terms of the rows of a tile; there may be no terms at all.
inline ConstVectorRef part_of(const Vector& terms, Index first, Index size) {
  return terms.size() == 0 ? ConstVectorRef(terms) : ConstVectorRef(terms.segment(first, size));
}

/// Of every kernel the number of its family: those with the same base on the same columns.
std::vector<Index> families_of(const std::vector<FittedKernel>& kernels);

/// Positions in a list of kernels, all of one family, at most kSliceLength of them.
using Slice = std::vector<Index>;
/// family[k] is that of the kernel at position k.
std::vector<Slice> slices_of(const std::vector<Index>& family);

/// Some rows of the training table.
struct TrainingRows {
  const Samples& samples;
  std::span<const Index> numbers;  ///< in the table; empty: all of them
};

/// Kernels of one family between some training rows and others.
class FamilyTiles {
 public:
  /// `rows` and `columns` are the same rows, or `rows` are all. They must outlive this object.
  FamilyTiles(std::vector<const FittedKernel*> kernels, const Samples& training, const TrainingRows& rows,
              const TrainingRows& columns);

  /// Calls visit(k, row, column, tile) for each kernel: tile(i, j) is its value for the rows at positions row + i and
  /// column + j, jitter included.
  template <class Visit>
  void compute(Index row, Index column, const Visit& visit) {
    auto base = base_.topLeftCorner(tile_size(row, rows_.n_points()), tile_size(column, columns_.n_points()));
    auto tile = tile_.topLeftCorner(base.rows(), base.cols());
    base_block(rows_, row, columns_, column, base);
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      tile = base;
      kernels_[k]->finish(tile, part_of(row_terms_[k], row, tile.rows()),
                          part_of(column_terms_[k], column, tile.cols()));
      const Vector& terms = column_terms_[k];
      for (Index j = 0; j < tile.cols(); ++j) {
        const Index i = (places_.empty() ? column + j : places_[column + j]) - row;  // the same sample
        if (i >= 0 && i < tile.rows())
          tile(i, j) += kernels_[k]->scaled_jitter(terms.size() == 0 ? 1 : terms(column + j));
      }
      visit(k, row, column, tile);
    }
  }

 private:
  std::vector<const FittedKernel*> kernels_;
  Points rows_, columns_;
  std::span<const Index> places_;  // of the columns among the rows; empty: the same
  std::vector<Vector> row_terms_, column_terms_;
  Matrix base_, tile_;
};

/// Who computes the tiles: the work is in so many parts, each done by one thread, and ends early when `stop` says so.
struct TileWork {
  Index parts;
  int threads;
  StopCheck& stop;
};

/// Work of computing an entry, for parallel_for: base and exp cost more than the product itself.
inline constexpr double kEntryWork = 10;

/// Calls visit(part, k, row, column, tile) for the k-th kernel and every tile of the lower triangle of its Gram matrix
/// on these training rows: tile(i, j) is entry (row + i, column + j), and on the diagonal the tile is complete. Calls
/// done(kernels, last) after a piece of work on so many kernels, `last` after their last one. Which part does what
/// depends on the arguments alone.
template <class Visit, class Done>
void sweep_triangles(const std::vector<const FittedKernel*>& kernels, const std::vector<Index>& family,
                     const Samples& training, const TrainingRows& rows, const TileWork& work, const Visit& visit,
                     const Done& done) {
  const Index n = rows.samples.n_rows();
  const std::vector<Slice> slices = slices_of(family);
  // Strips of the lower triangle get shorter: each is taken together with its counterpart from the end.
  const Index strips = n_tiles(n), pairs = (strips + 1) / 2, items = std::ssize(slices) * pairs;
  const double entries = 0.5 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(kernels.size());
  parallel_for(
      work.parts, work.threads, kEntryWork * entries / static_cast<double>(work.parts), [&](Index from, Index to) {
        for (Index part = from; part < to; ++part)
          for (Index item = items * part / work.parts; item < items * (part + 1) / work.parts && !work.stop.skip();
               ++item) {
            const Slice& slice = slices[item / pairs];
            std::vector<const FittedKernel*> members;
            for (const Index k : slice) members.push_back(kernels[k]);
            FamilyTiles tiles(std::move(members), training, rows, rows);
            const auto compute_strip = [&](Index strip) {
              for (Index row = strip * kTile; row < n && !work.stop.skip(); row += kTile)
                tiles.compute(row, strip * kTile, [&](std::size_t k, Index at_row, Index at_column, const auto& tile) {
                  visit(part, slice[k], at_row, at_column, tile);
                });
            };
            const Index strip = item % pairs, counterpart = strips - 1 - strip;
            compute_strip(strip);
            if (counterpart != strip) compute_strip(counterpart);
            done(std::ssize(slice), strip == pairs - 1);
          }
      });
}

/// Writes the Gram matrix of every kernel on the training samples: target(m) is an N×N matrix of some numbers. Throws
/// Stopped when the watch says so.
template <class Target>
void fill_grams(const std::vector<const FittedKernel*>& kernels, const std::vector<Index>& family,
                const Samples& training, int threads, const Watch& watch, const Target& target) {
  WatchedTask task(watch, "computing kernels", std::ssize(kernels));
  StopCheck stop(watch);
  sweep_triangles(
      kernels, family, training, {training, {}}, {threads, threads, stop},
      [&](Index, Index m, Index row, Index column, const auto& tile) {
        auto gram = target(m);
        using Number = typename decltype(gram)::Scalar;
        gram.block(row, column, tile.rows(), tile.cols()) = tile.template cast<Number>();
        if (row != column) {
          gram.block(column, row, tile.cols(), tile.rows()) = tile.transpose().template cast<Number>();
        } else {  // normalisation may round the two halves of a tile on the diagonal differently
          auto square = gram.block(row, row, tile.rows(), tile.rows());
          square.template triangularView<Eigen::StrictlyUpper>() = square.transpose();
        }
      },
      [&](Index count, bool last) {
        if (last) task.advance(count);
      });
  stop.finish();
}

}  // namespace spicymkl
