// Rows that can be divided: what cross-validation asks of a table or of precomputed kernels.
#pragma once

#include <span>

#include "spicymkl/bank/stored_bank.hpp"
#include "spicymkl/model/scores.hpp"
#include "spicymkl/pipeline/training_input.hpp"

namespace spicymkl {

/// Threads and memory that one part of the work may take, and how well kernels are to be approximated there.
struct Share {
  int threads = 0;                                       ///< 0: all cores
  double memory = 0;                                     ///< bytes; 0: half of what is free
  double rank_tolerance = BankOptions().rank_tolerance;  ///< see there
};

/// Some rows to learn from, and the kernels that were fitted on them and on nothing else.
class LearningRows {
 public:
  virtual ~LearningRows() = default;
  virtual const TrainingInput& input() const = 0;
  /// What the fits, which were learned from input(), say of the given rows of the data set.
  virtual Scores scores(const std::vector<Fit>& fits, std::span<const Index> rows) const = 0;
};

class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual const Target& target() const = 0;
  /// May be asked by several threads at once. The data set must outlive its answers. With `kernels`, these instead of
  /// those of the plan (a table's; precomputed ones are what they are).
  virtual std::unique_ptr<LearningRows> learn_from(std::vector<Index> rows, const Share& share,
                                                   const std::string& kernels = "") const = 0;
  /// A model without fits: the kernels as all rows have them, none of whose matrices is computed.
  virtual Model outline(const Share& share) const = 0;
  /// Bytes that the kernels of so many rows take at most.
  virtual double kernel_bytes(Index n_rows) const = 0;
};

/// Imputation, standardisation, kernel widths and normalisation are fitted on the rows to learn from. Of the plan,
/// memory, threads and rank_tolerance are replaced by those of the share.
std::unique_ptr<Dataset> make_table_dataset(Table table, Target target, TablePlan plan);

/// The Gram matrices are taken as they are, or repaired on the rows to learn from. Weights may be empty: all 1.
std::unique_ptr<Dataset> make_gram_dataset(std::shared_ptr<const DenseBank> grams, Target target, Vector weights,
                                           PsdMethod psd = PsdMethod::refuse);

}  // namespace spicymkl
