// Precomputed kernels as Octave has them: an array rows × N × M, or a cell array of M matrices rows × N.
#pragma once

#include "spicymkl/bank/stored_bank.hpp"
#include "values.hpp"

namespace spicymkl::octave {

struct Grams {
  Index n_rows = 0;
  Index n_samples = 0;
  std::vector<const double*> kernels;  ///< rows × N each, column after column, where Octave keeps them
  std::shared_ptr<const void> owner;   ///< of those that had to be copied because they are not doubles; else null
};

/// Of training samples: square.
Grams to_grams(const mxArray* value);
/// Of new rows with N training samples.
Grams to_new_rows(const mxArray* value, Index n_samples);

/// An entry that is not a finite number is an InputError, which says where Octave has it.
void refuse_not_finite(const Grams& grams);

/// Named k0, k1, … as those of one file are. The matrices themselves are read, nothing is copied.
std::shared_ptr<const DenseBank> to_bank(const Grams& grams, int threads, const Watch& watch);

}  // namespace spicymkl::octave
