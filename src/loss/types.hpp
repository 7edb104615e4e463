// What each loss says of itself.
#pragma once

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

#define LOSS(name) LossType name##_loss();
#include "losses.def"
#undef LOSS

}  // namespace spicymkl
