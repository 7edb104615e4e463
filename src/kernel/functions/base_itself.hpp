// Kernels that are their base: linear, cosine, histogram intersection, overlap.
#pragma once

#include "spicymkl/kernel/kernel_function.hpp"

namespace spicymkl {

class BaseItself final : public KernelFunction {
 public:
  void map(const double* base, double* out, Index n) const override;
  std::vector<double> powers() const override { return {0, 1}; }
  std::optional<MapFormula> formula() const override { return MapFormula{MapFormula::Kind::base}; }

  static std::unique_ptr<KernelFunction> make(const KernelParameters&) { return std::make_unique<BaseItself>(); }
};

}  // namespace spicymkl
