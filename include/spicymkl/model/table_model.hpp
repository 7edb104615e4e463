// What a model that was trained on a table keeps of it, so that new rows can be compared with the training rows.
#pragma once

#include "spicymkl/kernel/fitted_kernel.hpp"
#include "spicymkl/model/fit.hpp"
#include "spicymkl/model/preparation.hpp"

namespace spicymkl {

struct TableModel {
  std::string target_name;
  Preparation preparation;  ///< of every column of the training table
  KernelSpecs specs;        ///< of all M kernels, for those who recompute the certificate

  std::vector<Index> used_columns;  ///< those that some active kernel reads, and covariates
  /// Training rows whose dual value is not 0 in some fit; a sample of all rows where every active kernel is one by
  /// features, whose predictions need none.
  std::vector<Index> kept_rows;
  std::shared_ptr<const Samples> rows;  ///< these rows and columns, prepared; those of the training where all are kept
  std::vector<Index> active;            ///< kernels that are active in some fit, in order
  std::vector<FittedKernel> kernels;    ///< of these; their columns are those of `rows`
  /// Per active kernel: Σ_i dual_i φ(x_i) for each output, one per column; empty unless it is a kernel by features.
  std::vector<Matrix> feature_sums;
};

/// Keeps what the fits need. Centred kernels compare a new row with every training row: then all rows are kept.
TableModel make_table_model(std::string target_name, Preparation preparation,
                            const std::shared_ptr<const Samples>& training, const std::vector<FittedKernel>& kernels,
                            const std::vector<Fit>& fits, int threads);

/// TableModel::feature_sums of these active kernels, numbered among all.
std::vector<Matrix> feature_sums(const Samples& training, const std::vector<FittedKernel>& kernels,
                                 const std::vector<Index>& active, const std::vector<Fit>& fits, int threads);

/// The kernels that are active in some fit, in order.
std::vector<Index> active_kernels(const std::vector<Fit>& fits);

}  // namespace spicymkl
