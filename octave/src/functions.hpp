// The functions that the .m files call, by name.
#pragma once

#include <span>

#include "values.hpp"

namespace spicymkl::octave {

using Arguments = std::span<const mxArray* const>;
/// What a function hands back. The last of train, path and cv is a cell array of what the user should know.
using Outputs = std::vector<mxArray*>;

/// (samples, y, options) → model, notes
Outputs train(Arguments arguments);
/// (samples, y, options) → path, notes
Outputs path(Arguments arguments);
/// (samples, y, options) → model, cv, notes
Outputs cv(Arguments arguments);
/// (model, samples) → labels, scores, probabilities
Outputs predict(Arguments arguments);
/// (model, file name)
Outputs save(Arguments arguments);
/// (file name) → model
Outputs load(Arguments arguments);

}  // namespace spicymkl::octave
