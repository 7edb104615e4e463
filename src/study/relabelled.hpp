// The same rows with another target: what would have been learned had chance dealt the labels.
#pragma once

#include "spicymkl/selection/dataset.hpp"

namespace spicymkl {

/// `target` has as many rows. The data set must outlive it.
std::unique_ptr<Dataset> make_relabelled(const Dataset& data, Target target);

}  // namespace spicymkl
