#include "spicymkl/model/contributions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stored_rows.hpp"

namespace spicymkl {

namespace {

/// Places in the expansion, heaviest first.
std::vector<Index> heaviest_places(const Fit& fit, std::size_t most) {
  const Vector weights = fit.active_weights();
  std::vector<Index> places(weights.size());
  std::iota(places.begin(), places.end(), Index{0});
  std::ranges::stable_sort(places, [&](Index a, Index b) { return weights(a) > weights(b); });
  places.resize(std::min(most, places.size()));
  return places;
}

/// Mean 0 and norm 1; all 0 where nothing but rounding differs from the mean.
Vector directed(const Vector& values) {
  constexpr double kRounding = 1e-12;
  const Vector centred = values.array() - values.mean();
  const double norm = centred.norm();
  return norm > kRounding * values.norm() ? Vector(centred / norm) : Vector::Zero(values.size());
}

}  // namespace

TrainingContributions training_contributions(const Model& model, Index most_rows, int threads) {
  if (!model.table || model.table->kernels.empty()) return {};
  const TableModel& table = *model.table;
  const std::vector<Index> places = some_stored_rows(table, std::ssize(table.kernels), most_rows);
  const auto scorer = make_table_scorer(model, select_rows(*table.rows, places), threads);
  TrainingContributions contributions{{}, scorer->scores(0, scorer->n_rows())};
  for (const Index place : places) contributions.rows.push_back(table.kept_rows[place]);
  return contributions;
}

ContributionCorrelation contribution_correlation(const Fit& fit, const Matrix& shares, std::size_t most_kernels) {
  const std::vector<Index> places = heaviest_places(fit, most_kernels);
  ContributionCorrelation correlation;
  Matrix directions(shares.rows(), std::ssize(places));
  for (std::size_t k = 0; k < places.size(); ++k) {
    correlation.kernels.push_back(fit.expansion.kernels[places[k]]);
    directions.col(static_cast<Index>(k)) = directed(shares.col(places[k]));
  }
  correlation.values = directions.transpose() * directions;
  return correlation;
}

std::vector<AlikeKernels> alike_kernels(const ContributionCorrelation& correlation, double least) {
  std::vector<AlikeKernels> pairs;
  for (Index a = 0; a < std::ssize(correlation.kernels); ++a)
    for (Index b = a + 1; b < std::ssize(correlation.kernels); ++b)
      if (std::abs(correlation.values(a, b)) >= least)
        pairs.push_back({correlation.kernels[a], correlation.kernels[b], correlation.values(a, b)});
  std::ranges::stable_sort(pairs, [](const AlikeKernels& a, const AlikeKernels& b) {
    return std::abs(a.correlation) > std::abs(b.correlation);
  });
  return pairs;
}

}  // namespace spicymkl
