// A training run in a file, so that it can be resumed after its process is gone.
#pragma once

#include <map>
#include <string>

#include "spicymkl/pipeline/train_model.hpp"

namespace spicymkl {

/// What makes a run the same as another: names and values of all options and data that its answer depends on; an empty
/// value is something that was not given.
using RunIdentity = std::map<std::string, std::string>;

/// The bytes of a safetensors file.
std::string checkpoint_bytes(const TrainingState& state, const RunIdentity& identity);

/// A file that is unreadable, damaged, or of another run is an InputError, which in the last case names a difference.
/// Values of `identity` are compared, others that the file has are not.
TrainingState load_checkpoint(const std::string& path, const RunIdentity& identity);

/// Throws InputError unless the state is one of training on this input.
void check_state(const TrainingState& state, const TrainingInput& input);

}  // namespace spicymkl
