// Gram matrices and labels from files, checked.
#pragma once

#include "options.hpp"
#include "spicymkl/bank/gram_check.hpp"
#include "spicymkl/bank/psd_repair.hpp"
#include "spicymkl/io/table.hpp"
#include "spicymkl/model/scores.hpp"

namespace spicymkl::cli {

struct GramData {
  std::shared_ptr<const DenseBank> bank;
  std::vector<std::string> labels;  ///< as strings; none where there are several targets
  Matrix targets;                   ///< samples × several targets, or empty
  std::vector<std::string> events;  ///< of survival times, which are the labels
  Vector weights;                   ///< empty: all 1
  Covariates covariates;
  PsdMethod psd = PsdMethod::refuse;    ///< how the bank is yet to be repaired
  std::vector<TinyNegative> tolerated;  ///< eigenvalues below 0 by rounding
};

/// `watch` is that of the bank; reading and checking do not ask it.
GramData read_gram_data(const GramInput& input, int threads, Watch watch = {});

/// The labels, or the targets, as a table that has nothing else and names their files.
Table labels_of(const GramData& data, const GramInput& input);

/// The same of new rows, as many as their kernels have.
Table read_labels_of(const GramInput& input, Index n_rows);

/// The covariates of `n_rows` samples, a column each, from a .npy file; "c0", "c1", … are their names.
Covariates read_covariates(const std::string& path, Index n_rows);

/// Kernels of new rows with the training rows: files of shape kernels × N_new × N, or N_new × N each; either all M
/// kernels of the model or its active ones, in order. `covariates` is the file of theirs, if the model has any.
std::unique_ptr<Scorer> score_grams(const Model& model, const std::vector<std::string>& paths,
                                    const std::string& covariates, int threads);

}  // namespace spicymkl::cli
