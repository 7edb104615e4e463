#include "spicymkl/model/table_model.hpp"

#include <algorithm>
#include <set>

#include "bank/feature_bank.hpp"
#include "spicymkl/model/outputs.hpp"

namespace spicymkl {

namespace {

std::vector<Index> columns_of(const std::vector<FittedKernel>& kernels, const std::vector<Index>& active,
                              const std::vector<CovariateTerm>& covariates) {
  std::set<Index> used;
  for (const CovariateTerm& term : covariates) used.insert(term.column);
  for (const Index m : active) {
    const auto& columns = kernels[m].spec().columns;
    used.insert(columns.begin(), columns.end());
  }
  return {used.begin(), used.end()};
}

/// For pictures of what the kernels do.
std::vector<Index> evenly_spaced_rows(Index n_rows) {
  constexpr Index kMost = 1000;
  std::vector<Index> rows;
  const Index count = std::min(n_rows, kMost);
  for (Index i = 0; i < count; ++i) rows.push_back(i * n_rows / count);
  return rows;
}

std::vector<Index> rows_needed(const std::vector<FittedKernel>& kernels, const std::vector<Index>& active,
                               const std::vector<Fit>& fits, Index n_rows) {
  if (!active.empty() && std::ranges::all_of(active, [&](Index m) { return kernels[m].has_features(); }))
    return evenly_spaced_rows(n_rows);
  const bool all =
      std::any_of(active.begin(), active.end(), [&](Index m) { return kernels[m].needs_all_training_rows(); });
  const Matrix duals = fits.empty() ? Matrix(n_rows, 0) : duals_of(fits);
  std::vector<Index> rows;
  for (Index i = 0; i < n_rows; ++i)
    if (all || (duals.row(i).array() != 0).any()) rows.push_back(i);
  return rows;
}

/// The same kernel with the columns counted among `used`.
FittedKernel with_columns_among(const std::vector<Index>& used, const FittedKernel& kernel) {
  KernelSpec spec = kernel.spec();
  for (Index& column : spec.columns) column = std::lower_bound(used.begin(), used.end(), column) - used.begin();
  if (kernel.has_features())
    return FittedKernel(std::move(spec), kernel.normalization(), kernel.features().constants());
  return FittedKernel(std::move(spec), kernel.normalization());
}

}  // namespace

std::vector<Index> active_kernels(const std::vector<Fit>& fits) {
  std::set<Index> active;
  for (const Fit& fit : fits) active.insert(fit.expansion.kernels.begin(), fit.expansion.kernels.end());
  return {active.begin(), active.end()};
}

std::vector<Matrix> feature_sums(const Samples& training, const std::vector<FittedKernel>& kernels,
                                 const std::vector<Index>& active, const std::vector<Fit>& fits, int threads) {
  std::vector<Matrix> sums(active.size());
  const std::shared_ptr<const Samples> unowned(std::shared_ptr<void>(), &training);
  for (std::size_t k = 0; k < active.size(); ++k) {
    if (!kernels[active[k]].has_features()) continue;
    const FeatureBank bank(unowned, {kernels[active[k]]}, threads);
    sums[k] = bank.feature_sums(all_kernels(1), duals_of(fits));
  }
  return sums;
}

TableModel make_table_model(std::string target_name, Preparation preparation,
                            const std::shared_ptr<const Samples>& training, const std::vector<FittedKernel>& kernels,
                            const std::vector<Fit>& fits, int threads) {
  TableModel model;
  model.target_name = std::move(target_name);
  model.preparation = std::move(preparation);
  model.specs.reserve(kernels.size());
  for (const FittedKernel& kernel : kernels) model.specs.push_back(kernel.shared_spec());
  model.active = active_kernels(fits);
  model.used_columns = columns_of(kernels, model.active, model.preparation.covariates);
  model.kept_rows = rows_needed(kernels, model.active, fits, training->n_rows());
  const bool all =
      std::ssize(model.kept_rows) == training->n_rows() && std::ssize(model.used_columns) == training->n_columns();
  model.rows =
      all ? training : std::make_shared<const Samples>(select(*training, model.kept_rows, model.used_columns, threads));
  for (const Index m : model.active) model.kernels.push_back(with_columns_among(model.used_columns, kernels[m]));
  model.feature_sums = feature_sums(*training, kernels, model.active, fits, threads);
  return model;
}

}  // namespace spicymkl
