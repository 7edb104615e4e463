// Gram matrices tile by tile, where kernels that differ only in how they map a base value (widths, say) share its
// computation.
#pragma once

#include <algorithm>
#include <vector>

#include "base_tiles.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/watch.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

inline constexpr Index kTile = kPanelRows;  // base values and one mapped copy stay in the second-level cache

inline Index n_tiles(Index n) { return (n + kTile - 1) / kTile; }
/// Tiles of the lower triangle, those on the diagonal included.
inline Index n_triangle_tiles(Index n) { return n_tiles(n) * (n_tiles(n) + 1) / 2; }
inline Index tile_size(Index first, Index n) { return std::min(kTile, n - first); }

/// Of every kernel the number of its family: those on the same columns whose base values are computed together.
std::vector<Index> families_of(const std::vector<FittedKernel>& kernels);

/// The positions of the kernels of each family in their list; family[k] is that of the kernel at position k.
std::vector<std::vector<Index>> members_of(const std::vector<Index>& family);

/// Some rows of the training table.
struct TrainingRows {
  const Samples& samples;
  std::span<const Index> numbers;  ///< in the table; empty: all of them
};

/// The different bases of the kernels of one family.
struct FamilyBases {
  std::vector<Base> bases;
  std::vector<std::size_t> of_kernel;  ///< its number among them

  explicit FamilyBases(const std::vector<const FittedKernel*>& kernels);
  /// What points must know for all of them.
  Base most_demanding() const;
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
    auto tile = tile_.topLeftCorner(tile_size(row, rows_.n_points()), tile_size(column, columns_.n_points()));
    std::vector<MatrixRef> bases;
    for (Matrix& values : bases_) bases.emplace_back(values.topLeftCorner(tile.rows(), tile.cols()));
    base_tiles_.compute({&rows_, row, &columns_, column}, bases);
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      tile = bases[family_.of_kernel[k]];
      kernels_[k]->finish(tile, row_terms_[k].part(row, tile.rows()), column_terms_[k].part(column, tile.cols()));
      for (Index j = 0; j < tile.cols(); ++j) {
        const Index i = (places_.empty() ? column + j : places_[column + j]) - row;  // the same sample
        if (i >= 0 && i < tile.rows()) tile(i, j) += kernels_[k]->scaled_jitter(column_terms_[k], column + j);
      }
      visit(k, row, column, tile);
    }
  }

 private:
  std::vector<const FittedKernel*> kernels_;
  FamilyBases family_;
  Points rows_, columns_;
  BaseTiles base_tiles_;
  std::span<const Index> places_;  // of the columns among the rows; empty: the same
  std::vector<RowTerms> row_terms_, column_terms_;
  std::vector<Matrix> bases_;
  Matrix tile_;
};

/// Who computes the tiles: the work is in so many parts, each done by one thread, and ends early when `stop` says so.
struct TileWork {
  Index parts;
  int threads;
  StopCheck& stop;
};

/// Work of computing an entry, for parallel_for: base and exp cost more than the product itself.
inline constexpr double kEntryWork = 10;

/// Shares out the tiles of a triangle, the same for every family, among parts: each gets about as much work.
class TileShares {
 public:
  /// costs: of a tile of each family.
  TileShares(std::vector<double> costs, Index n_tiles, Index parts);

  /// Of these tiles of a family, the first one that is not done by an earlier part.
  Index first(std::size_t family, Index part) const;

 private:
  std::vector<double> costs_, before_;  // before_: of all tiles of earlier families
  double total_ = 0;
  Index n_tiles_, parts_;
};

/// About what a tile of kernels of one family costs.
double tile_cost(const std::vector<const FittedKernel*>& family);

/// A tile of the lower triangle of a matrix, column of tiles by column.
struct TriangleTile {
  Index row = 0, column = 0;  ///< in tiles

  /// Of the tile with this number, in a triangle of so many rows of tiles.
  TriangleTile(Index number, Index strips) {
    for (; number >= strips - column; ++column) number -= strips - column;
    row = column + number;
  }
  void advance(Index strips) {
    if (++row == strips) row = ++column;
  }
};

/// Calls visit(part, k, row, column, tile) for the k-th kernel and every tile of the lower triangle of its Gram matrix
/// on these training rows: tile(i, j) is entry (row + i, column + j), and on the diagonal the tile is complete. Calls
/// done(kernels, last) after a tile of so many kernels, `last` after their last one. Which part does what depends on
/// the arguments alone.
template <class Visit, class Done>
void sweep_triangles(const std::vector<const FittedKernel*>& kernels, const std::vector<Index>& family,
                     const Samples& training, const TrainingRows& rows, const TileWork& work, const Visit& visit,
                     const Done& done) {
  const Index n = rows.samples.n_rows(), strips = n_tiles(n), count = n_triangle_tiles(n);
  const std::vector<std::vector<Index>> families = members_of(family);
  std::vector<std::vector<const FittedKernel*>> members(families.size());
  std::vector<double> costs;
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (const Index k : families[f]) members[f].push_back(kernels[k]);
    costs.push_back(tile_cost(members[f]));
  }
  const TileShares shares(costs, count, work.parts);
  const double entries = 0.5 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(kernels.size());
  const auto compute_tiles = [&](Index part, std::size_t f) {
    const Index first = shares.first(f, part), last = shares.first(f, part + 1);
    if (first == last) return;
    FamilyTiles tiles(members[f], training, rows, rows);
    TriangleTile at(first, strips);
    for (Index t = first; t < last && !work.stop.skip(); ++t, at.advance(strips)) {
      tiles.compute(at.row * kTile, at.column * kTile, [&](std::size_t k, Index row, Index column, const auto& tile) {
        visit(part, families[f][k], row, column, tile);
      });
      done(std::ssize(members[f]), t == count - 1);
    }
  };
  parallel_for(work.parts, work.threads, kEntryWork * entries / static_cast<double>(work.parts),
               [&](Index from, Index to) {
                 for (Index part = from; part < to; ++part)
                   for (std::size_t f = 0; f < families.size() && !work.stop.skip(); ++f) compute_tiles(part, f);
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
