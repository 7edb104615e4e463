// Survival times as the cox loss takes them.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// The rank of each time from 1 on, equal times having the same, negative where `events` is 0.
Vector signed_ranks(const Vector& times, const Vector& events);

}  // namespace spicymkl
