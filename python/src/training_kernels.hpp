// The kernels of a training set, ready to be learned from.
#pragma once

#include <optional>

#include "arrays.hpp"
#include "spicymkl/bank/bank.hpp"
#include "spicymkl/pipeline/training_table.hpp"

namespace spicymkl::python {

struct TrainingKernels {
  std::shared_ptr<const KernelBank> bank;
  std::shared_ptr<const KernelBank> exact;  ///< where `bank` approximates the kernels of a table; else null
  std::optional<TrainingTable> table;       ///< none: precomputed

  std::vector<std::string> names() const;
  /// What certificates are taken on.
  const std::shared_ptr<const KernelBank>& exact_bank() const { return exact ? exact : bank; }
};

void bind_training_kernels(nb::module_& module);

}  // namespace spicymkl::python
