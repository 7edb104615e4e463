// A path over few of many kernels, certified over all of them many points at a time.
#pragma once

#include "spicymkl/selection/path.hpp"

namespace spicymkl {

/// Sparse penalties, many kernels, and settings that leave the way of solving open.
bool worth_candidates(const Problem& problem, const Settings& settings);

/// Does what solve_path does, several neighbouring points at a time: they are solved over a handful of candidate
/// kernels, each from the one before; then all kernels are read once for all of these points, which proves most of them
/// and finds the candidates that were missing for the others. So a path reads all kernels a few times, not twice per
/// point. Throws Stopped when it is to end early, with the points that were done in `path`.
void solve_candidate_path(const Problem& problem, const RegularizerFamily& family, const AlphaGrid& grid,
                          const PathSettings& settings, const std::shared_ptr<const KernelBank>& exact, Path& path);

}  // namespace spicymkl
