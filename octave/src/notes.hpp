// What the user is warned of.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/model/fit.hpp"

namespace spicymkl::octave {

/// A sentence for each fit that missed the tolerance.
void add_unconverged(const std::vector<Fit>& fits, double tol, std::vector<std::string>& notes);

}  // namespace spicymkl::octave
