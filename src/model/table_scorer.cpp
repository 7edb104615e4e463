#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "coefficients.hpp"
#include "device/cross_products.hpp"
#include "kernel/tiles.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr Index kRows = 64;  // new rows at a time, against a tile of training rows

/// Kernels whose base values are computed together.
struct SharedBase {
  FamilyBases family;
  Points training, fresh;
  std::vector<Index> kernels;
};

class TableScorer final : public Scorer {
 public:
  TableScorer(const Model& model, Samples fresh, int threads, const std::shared_ptr<const Device>& device)
      : table_(*model.table),
        fresh_(std::move(fresh)),
        threads_(resolve_threads(threads)),
        coefficients_(model, table_.kept_rows),
        covariates_(covariate_values(fresh_, table_.preparation.only(table_.used_columns).covariates)) {
    check_range();
    for (const FittedKernel& kernel : table_.kernels) {
      check_columns(kernel.spec(), fresh_);
      raw_weights_.push_back(raw_weights_of(kernel));
      if (kernel.has_features()) {
        training_terms_.emplace_back();
        fresh_terms_.emplace_back();
        continue;
      }
      training_terms_.push_back(kernel.training_terms(*table_.rows));
      fresh_terms_.push_back(kernel.terms(fresh_, *table_.rows, threads));
    }
    if (device && n_rows() > 0) there_.emplace(device, fresh_, *table_.rows);
    share_bases();
  }

  Index n_rows() const override { return fresh_.n_rows(); }

  Scores scores(Index first, Index count) const override {
    Scores scores = coefficients_.start(count);
    if (there_) score_there(first, count, scores);
    const Index parts = (count + kRows - 1) / kRows;
    parallel_for(parts, threads_, part_cost(), [&](Index begin, Index end) {
      for (Index p = begin; p < end; ++p) {
        const Index offset = p * kRows;
        score_part(first + offset, offset, std::min(kRows, count - offset), scores);
      }
    });
    coefficients_.finish(covariates_.middleRows(first, count), scores);
    check_finite(scores, first);
    return scores;
  }

 private:
  /// Before anything is printed: a value whose cube, say, is out of range belongs to no new row.
  void check_range() const {
    constexpr double kFarthest = 1e100;
    for (Index j = 0; j < fresh_.n_columns(); ++j)
      for (Index i = 0; i < fresh_.n_rows(); ++i)
        if (!(std::abs(fresh_.values(i, j)) <= kFarthest))
          throw InputError(
              fmt::format("column '{}', {}: the value is far out of range ({:g} on the scale of the training rows); "
                          "correct it",
                          fresh_.columns[j], fresh_.place(i), fresh_.values(i, j)));
  }

  /// What kernels of a high degree make of values within that range.
  void check_finite(const Scores& scores, Index first) const {
    for (Index i = 0; i < scores.values.rows(); ++i) {
      if (scores.values.row(i).allFinite()) continue;
      Index column = 0;
      fresh_.values.row(first + i).cwiseAbs().maxCoeff(&column);
      throw InputError(fmt::format(
          "{}: the prediction is beyond the range of double precision; the value farthest from those of the "
          "training rows is in column '{}': correct it",
          fresh_.place(first + i), fresh_.columns[column]));
    }
  }

  /// Whether a device computes the kernel.
  bool is_there(Index k) const {
    const FittedKernel& kernel = table_.kernels[k];
    return there_ && (CrossProducts::knows(kernel) || CrossProducts::knows_features(kernel));
  }

  /// The kernels that a device computes.
  void score_there(Index first, Index count, Scores& scores) const {
    std::vector<CrossProducts::Member> members;
    std::vector<Index> places;
    for (Index k = 0; k < std::ssize(table_.kernels); ++k) {
      const FittedKernel& kernel = table_.kernels[k];
      if (CrossProducts::knows_features(kernel))
        coefficients_.set_shares(k, 0, there_->features(kernel, fresh_, raw_weights_[k], first, count), scores);
      if (!CrossProducts::knows(kernel)) continue;
      members.push_back({&kernel, &fresh_terms_[k], &training_terms_[k]});
      places.push_back(k);
    }
    const std::vector<Matrix> sums = there_->products(members, coefficients_.dual(), first, count);
    for (std::size_t s = 0; s < sums.size(); ++s) coefficients_.set_shares(places[s], 0, sums[s], scores);
  }

  void share_bases() {
    for (std::vector<Index>& kernels : members_of(families_of(table_.kernels))) {
      std::erase_if(kernels, [&](Index k) { return table_.kernels[k].has_features() || is_there(k); });
      if (kernels.empty()) continue;
      std::vector<const FittedKernel*> members;
      for (const Index k : kernels) members.push_back(&table_.kernels[k]);
      const FamilyBases family(members);
      const std::vector<Index>& columns = members.front()->spec().columns;
      bases_.push_back({family, Points(*table_.rows, columns, family.most_demanding()),
                        Points(fresh_, columns, family.most_demanding()), std::move(kernels)});
    }
  }

  double part_cost() const {
    constexpr double kMapCost = 16;
    double entry = 0;
    for (const SharedBase& base : bases_)
      entry +=
          static_cast<double>(base.training.columns().size()) + kMapCost * static_cast<double>(base.kernels.size());
    double row = entry * static_cast<double>(table_.rows->n_rows());
    for (const FittedKernel& kernel : table_.kernels)
      if (kernel.has_features()) row += kernel.features().row_cost();
    return kRows * row;
  }

  /// New rows first … first + count − 1, which are rows offset, … of `scores`.
  void score_part(Index first, Index offset, Index count, Scores& scores) const {
    for (Index k = 0; k < std::ssize(table_.kernels); ++k)
      if (table_.kernels[k].has_features() && !is_there(k)) score_features(k, first, offset, count, scores);
    Matrix values(count, kTile);
    for (const SharedBase& base : bases_) {
      BaseTiles base_tiles(base.family.bases, std::ssize(base.training.columns()));
      std::vector<Matrix> base_values(base.family.bases.size(), Matrix(count, kTile));
      std::vector<Matrix> sums(base.kernels.size(), Matrix::Zero(count, coefficients_.n_outputs()));
      for (Index row = 0; row < table_.rows->n_rows(); row += kTile) {
        const Index width = std::min(kTile, table_.rows->n_rows() - row);
        std::vector<MatrixRef> tiles;
        for (Matrix& whole : base_values) tiles.emplace_back(whole.leftCols(width));
        base_tiles.compute({&base.fresh, first, &base.training, row}, tiles);
        for (std::size_t s = 0; s < base.kernels.size(); ++s) {
          auto block = values.leftCols(width);
          block = tiles[base.family.of_kernel[s]];
          finish(base.kernels[s], first, row, block);
          add_products(block, row, sums[s]);
        }
      }
      for (std::size_t s = 0; s < base.kernels.size(); ++s)
        coefficients_.set_shares(base.kernels[s], offset, sums[s], scores);
    }
  }

  Matrix raw_weights_of(const FittedKernel& kernel) const {
    return kernel.has_features() ? kernel.features().to_raw(table_.feature_sums[raw_weights_.size()]) : Matrix();
  }

  /// Feature after feature: each new row is summed in the same order whatever the part it is in.
  void score_features(Index k, Index first, Index offset, Index count, Scores& scores) const {
    const FeatureMap& features = table_.kernels[k].features();
    Matrix raw(count, features.n_raw()), sums = Matrix::Zero(count, coefficients_.n_outputs());
    features.raw(fresh_, first, raw);
    for (Index j = 0; j < raw.cols(); ++j)
      for (Index f = 0; f < sums.cols(); ++f) sums.col(f) += raw_weights_[k](j, f) * raw.col(j);
    coefficients_.set_shares(k, offset, sums, scores);
  }

  void finish(Index k, Index first, Index row, MatrixRef block) const {
    table_.kernels[k].finish(block, fresh_terms_[k].part(first, block.rows()),
                             training_terms_[k].part(row, block.cols()));
  }

  /// One training row after the other: each new row is summed in the same order whatever the tile it is in.
  void add_products(ConstMatrixRef block, Index row, Matrix& sums) const {
    for (Index j = 0; j < block.cols(); ++j)
      for (Index f = 0; f < sums.cols(); ++f) sums.col(f) += coefficients_.dual()(row + j, f) * block.col(j);
  }

  const TableModel& table_;
  Samples fresh_;
  int threads_;
  Coefficients coefficients_;
  Matrix covariates_;
  std::vector<RowTerms> training_terms_, fresh_terms_;  ///< per kernel
  std::vector<SharedBase> bases_;
  std::optional<CrossProducts> there_;  ///< on a device, if there is one to work on
  std::vector<Matrix> raw_weights_;     ///< per kernel by features: of its raw features, for each fit
};

}  // namespace

std::unique_ptr<Scorer> make_table_scorer(const Model& model, Samples fresh, int threads,
                                          const std::shared_ptr<const Device>& device) {
  return std::make_unique<TableScorer>(model, std::move(fresh), threads, device);
}

}  // namespace spicymkl
