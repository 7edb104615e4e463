// The Cholesky factorisation of a matrix so large that a stop cannot wait for its end.
#pragma once

#include "spicymkl/core/types.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

/// As blas::cholesky. Throws Stopped when the watch says so; then A is lost.
[[nodiscard]] bool stoppable_cholesky(MatrixRef A, int threads, const Watch& watch);
/// The same in single precision.
[[nodiscard]] bool stoppable_cholesky(Eigen::Ref<Eigen::MatrixXf> A, int threads, const Watch& watch);

}  // namespace spicymkl
