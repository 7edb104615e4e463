// What each penalty says of itself.
#pragma once

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

#define PENALTY(name) RegularizerType name##_penalty();
#include "penalties.def"
#undef PENALTY

}  // namespace spicymkl
