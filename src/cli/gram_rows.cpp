#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gram_data.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/io/npy.hpp"

namespace spicymkl::cli {

namespace {

/// Matrices of several files, one after the other.
struct GramRows {
  std::vector<NpyArray> arrays;
  std::vector<const double*> kernels;
  Index n_rows = 0;
};

void add_file(const std::string& path, const Model& model, GramRows& rows) {
  NpyArray array = read_npy(path);
  const auto& shape = array.shape;
  if ((shape.size() != 2 && shape.size() != 3) || shape.back() != model.n_samples)
    throw InputError(
        fmt::format("'{}' has shape ({}), but kernels of new rows must be M x N_new x N or N_new x N with N = {}, "
                    "the training rows",
                    path, fmt::join(shape, ", "), model.n_samples));
  const Index n_rows = shape[shape.size() - 2];
  if (!rows.arrays.empty() && n_rows != rows.n_rows)
    throw InputError(fmt::format("'{}' has {} new rows, but the first file has {}; all must have the same", path,
                                 n_rows, rows.n_rows));
  rows.n_rows = n_rows;
  for (Index m = 0; m < (shape.size() == 3 ? shape[0] : 1); ++m)
    rows.kernels.push_back(array.data + m * n_rows * model.n_samples);
  rows.arrays.push_back(std::move(array));
}

}  // namespace

std::unique_ptr<Scorer> score_grams(const Model& model, const std::vector<std::string>& paths,
                                    const std::string& covariates, int threads) {
  if (model.table) throw InputError("the model was trained on a table; give a table (DATA) in place of --gram");
  auto rows = std::make_shared<GramRows>();
  for (const std::string& path : paths) add_file(path, model, *rows);
  const std::vector<Index> active = active_kernels(model.fits);
  const auto given = std::ssize(rows->kernels);
  const auto n_active = std::ssize(active);
  if (given != model.n_kernels() && given != n_active)
    throw InputError(
        fmt::format("'{}' holds {} kernels, but the model has {}, {} of them active; give all, or the active ones "
                    "in order",
                    paths.front(), given, model.n_kernels(), n_active));
  std::vector<const double*> kernels = rows->kernels;
  if (given == model.n_kernels()) {
    kernels.clear();
    for (const Index m : active) kernels.push_back(rows->kernels[m]);
  }
  const Index n_rows = rows->n_rows;
  if (model.covariates.count() == 0 && !covariates.empty())
    throw InputError("--covariates has no effect: the model has none; leave it out");
  if (model.covariates.count() > 0 && covariates.empty())
    throw InputError(
        fmt::format("the model has {} covariates ({}); give those of the new rows by --covariates FILE.npy, N_new x {}",
                    model.covariates.count(), fmt::join(model.covariates.names, ", "), model.covariates.count()));
  Matrix values = covariates.empty() ? Matrix() : read_covariates(covariates, n_rows).values;
  return make_gram_scorer(model, std::move(kernels), n_rows, threads, rows, std::move(values));
}

}  // namespace spicymkl::cli
