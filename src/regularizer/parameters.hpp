// Checks shared by the constructors of the regularisers; each returns the value it was given.
#pragma once

namespace spicymkl {

double checked_alpha(double alpha);
double checked_l1_ratio(double l1_ratio);
double checked_q(double q);

}  // namespace spicymkl
