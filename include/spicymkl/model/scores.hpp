// What a model says of new rows: f(x) = Σ f_m(x) + b + covariates for each fit, and the shares f_m(x).
#pragma once

#include <memory>

#include "spicymkl/model/model.hpp"

namespace spicymkl {

class Device;

struct Scores {
  Matrix values;               ///< rows × outputs of all fits
  std::vector<Matrix> shares;  ///< of each output: rows × the active kernels of its fit, in the order of its expansion
  Matrix covariates = {};      ///< rows × outputs: what the covariates add; empty: there are none
};

/// Scores rows batch by batch, touching only active kernels and training rows whose dual value is not 0. A row's
/// scores do not depend on the batch it is in, nor on the number of threads.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual Index n_rows() const = 0;
  virtual Scores scores(Index first, Index count) const = 0;
};

/// Scores prepared rows, which have the columns of model.table->rows. The model must outlive the scorer. Rows that a
/// kernel cannot take are an InputError. threads = 0: all cores. With a device, kernels that it knows are computed
/// there.
std::unique_ptr<Scorer> make_table_scorer(const Model& model, Samples fresh, int threads,
                                          const std::shared_ptr<const Device>& device = nullptr);

/// Scores rows by precomputed kernels: kernels[k] points at n_rows × N doubles, row after row, of the k-th kernel that
/// is active in some fit; `owner` keeps them alive. `covariates` has the rows as well, if the model has any. With a
/// device, the kernels are in its memory.
std::unique_ptr<Scorer> make_gram_scorer(const Model& model, std::vector<const double*> kernels, Index n_rows,
                                         int threads, std::shared_ptr<const void> owner, Matrix covariates = {},
                                         std::shared_ptr<const Device> device = nullptr);

}  // namespace spicymkl
