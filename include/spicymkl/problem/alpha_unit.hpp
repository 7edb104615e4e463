// alpha as a multiple of alpha_max, which has to be a unit for that.
#pragma once

namespace spicymkl {

/// alpha_max as it is; where it is 0 or not finite, so that nothing can be a multiple of it, an InputError that says
/// why.
double alpha_unit(double alpha_max);

}  // namespace spicymkl
