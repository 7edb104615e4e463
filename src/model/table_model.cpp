#include "spicymkl/model/table_model.hpp"

#include <algorithm>
#include <set>

namespace spicymkl {

namespace {

std::vector<Index> columns_of(const std::vector<FittedKernel>& kernels, const std::vector<Index>& active) {
  std::set<Index> used;
  for (const Index m : active) {
    const auto& columns = kernels[m].spec().columns;
    used.insert(columns.begin(), columns.end());
  }
  return {used.begin(), used.end()};
}

std::vector<Index> rows_needed(const std::vector<FittedKernel>& kernels, const std::vector<Index>& active,
                               const std::vector<Fit>& fits, Index n_rows) {
  const bool all =
      std::any_of(active.begin(), active.end(), [&](Index m) { return kernels[m].needs_all_training_rows(); });
  std::vector<Index> rows;
  for (Index i = 0; i < n_rows; ++i)
    if (all || std::any_of(fits.begin(), fits.end(), [&](const Fit& fit) { return fit.expansion.dual(i) != 0; }))
      rows.push_back(i);
  return rows;
}

/// The same kernel with the columns counted among `used`.
FittedKernel with_columns_among(const std::vector<Index>& used, const FittedKernel& kernel) {
  KernelSpec spec = kernel.spec();
  for (Index& column : spec.columns) column = std::lower_bound(used.begin(), used.end(), column) - used.begin();
  return FittedKernel(std::move(spec), kernel.normalization());
}

}  // namespace

std::vector<Index> active_kernels(const std::vector<Fit>& fits) {
  std::set<Index> active;
  for (const Fit& fit : fits) active.insert(fit.expansion.kernels.begin(), fit.expansion.kernels.end());
  return {active.begin(), active.end()};
}

TableModel make_table_model(std::string target_name, Preparation preparation, const Samples& training,
                            const std::vector<FittedKernel>& kernels, const std::vector<Fit>& fits) {
  TableModel model;
  model.target_name = std::move(target_name);
  model.preparation = std::move(preparation);
  for (const FittedKernel& kernel : kernels) model.specs.push_back(kernel.spec());
  model.active = active_kernels(fits);
  model.used_columns = columns_of(kernels, model.active);
  model.kept_rows = rows_needed(kernels, model.active, fits, training.n_rows());
  model.rows = select(training, model.kept_rows, model.used_columns);
  for (const Index m : model.active) model.kernels.push_back(with_columns_among(model.used_columns, kernels[m]));
  return model;
}

}  // namespace spicymkl
