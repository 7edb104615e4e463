// Made-up data sets with known truth: the artificial sets of the paper's Section 6.2 and a multi-source example.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

struct GeneratedData {
  std::vector<std::string> columns;
  Matrix values;  ///< one row per sample
  Vector labels;  ///< +1 and −1
};

/// ringnorm, twonorm (Breiman 1996, 20 columns), waveform (Breiman et al. 1984, 21 columns, class 1 against the others)
/// and multisource (four sources of 10 columns, of which `expression` and `imaging` carry the label). The same name,
/// size and seed give the same numbers everywhere. An unknown name or fewer than 2 samples is an InputError.
GeneratedData generate_data(std::string_view name, Index n_samples, std::uint64_t seed);

/// The names generate_data knows, separated by commas.
std::string generator_names();

}  // namespace spicymkl
