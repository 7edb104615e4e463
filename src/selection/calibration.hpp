// Do events that are predicted with probability p happen with frequency p?
#pragma once

#include "spicymkl/selection/assessment.hpp"

namespace spicymkl {

/// `probabilities` is rows × classes; `truth` and `predicted` are places in the list of classes.
Calibration calibration(const std::vector<Index>& truth, const std::vector<Index>& predicted,
                        ConstMatrixRef probabilities);

}  // namespace spicymkl
