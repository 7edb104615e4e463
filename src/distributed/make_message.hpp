// The order to make a bank, as it is sent.
#pragma once

#include "desk.hpp"
#include "recipe.hpp"

namespace spicymkl {

/// What every rank makes its part of.
struct MakeOrder {
  Index number = 0;
  const std::vector<FittedKernel>& kernels;
  const std::vector<KernelOutline>& outlines;  ///< may be empty for an exact bank
  const std::vector<int>& rank_of;             ///< of every kernel
  const PartOptions& options;
};

/// Behind the samples. The kernels of rank 0, which has them, are left out.
void put(const MakeOrder& order, Writer& out);

/// What a rank has to make.
struct MakeTask {
  Index number = 0;
  std::vector<FittedKernel> kernels;
  std::vector<KernelOutline> outlines;
  std::vector<Index> places;
  PartOptions options;
};

MakeTask make_task_from(Reader& in, int rank, const Watch& watch);
/// The same without sending.
MakeTask make_task_of(const MakeOrder& order, int rank);

}  // namespace spicymkl
