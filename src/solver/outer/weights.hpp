// Newton's method on the kernel weights, for losses whose dual is soon solved where these are fixed.
#pragma once

#include "run.hpp"

namespace spicymkl {

/// With weights d_m fixed the problem has one kernel Σd_mK_m (Section 4.1), whose dual an SVM solver finds in the time
/// of a few readings of the columns of its support vectors, or of a few factorisations over its free samples, and one
/// linear system for all outputs of the squared loss. Its optimal value is a convex function of d with known first and
/// second derivatives, which a few Newton steps minimise (as Chapelle and Rakotomamonjy, 2008, do for the squared
/// problem). Goes beyond the paper, whose Newton systems grow with the samples: this is for few kernels and many
/// samples or outputs. It may get stuck: other methods take over from its answer then. For problems whose outline
/// allows_newton_on_weights().
Result solve_weights(const Problem& problem, const Settings& settings, const WarmStart& warm_start = {},
                     const Role& role = {});

}  // namespace spicymkl
