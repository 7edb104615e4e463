// Two runs on one problem, told as one: another method goes on where the first has got stuck.
#pragma once

#include "spicymkl/solver/result.hpp"

namespace spicymkl {

/// `later` with the better of both models, the history of both, and the work of both.
Result continued(Result earlier, Result later);

}  // namespace spicymkl
