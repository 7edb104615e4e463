// A path over few of many kernels, certified over all of them many points at a time.
#pragma once

#include "path_method.hpp"

namespace spicymkl {

/// Sparse penalties, many kernels, and settings that leave the way of solving open.
bool worth_candidates(const Problem& problem, const Settings& settings);

/// Several neighbouring points at a time: they are solved over a handful of candidate kernels, each from those before;
/// then all kernels are read once for all of these points, which proves most of them and finds the candidates that were
/// missing for the others. So a path reads all kernels a few times, not twice per point. The arguments must outlive it.
std::unique_ptr<PathMethod> make_candidate_path(const Problem& problem, const RegularizerFamily& family,
                                                const Settings& settings, std::shared_ptr<const KernelBank> exact);

}  // namespace spicymkl
