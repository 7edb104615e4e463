#include "spicymkl/model/gram_repair.hpp"

#include "spicymkl/model/outputs.hpp"

#include <algorithm>

#include "spicymkl/model/table_model.hpp"

namespace spicymkl {

const Matrix* GramRepair::dual_of(Index kernel) const {
  for (const Carried& one : carried)
    if (one.kernel == kernel) return &one.dual;
  return nullptr;
}

GramRepair make_gram_repair(PsdMethod method, const std::vector<PsdRepair>& repairs, const std::vector<Fit>& fits) {
  GramRepair kept{.method = method, .kernels = {}, .carried = {}};
  const std::vector<Index> active = active_kernels(fits);
  for (const PsdRepair& repair : repairs) {
    kept.kernels.push_back(repair.kernel);
    const bool is_active = std::binary_search(active.begin(), active.end(), repair.kernel);
    if (!is_active || repair.negative_vectors.cols() == 0) continue;
    Matrix dual = duals_of(fits);
    for (Index c = 0; c < dual.cols(); ++c) dual.col(c) = repair.carry(dual.col(c)).eval();
    kept.carried.push_back({repair.kernel, std::move(dual)});
  }
  return kept;
}

}  // namespace spicymkl
