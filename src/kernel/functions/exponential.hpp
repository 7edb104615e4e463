// exp(−rate · base): the Gaussian, Laplacian and chi-squared kernels.
#pragma once

#include "spicymkl/kernel/kernel_function.hpp"

namespace spicymkl {

class Exponential final : public KernelFunction {
 public:
  explicit Exponential(double rate) : rate_(rate) {}
  void map(const double* base, double* out, Index n) const override;
  std::optional<MapFormula> formula() const override { return MapFormula{MapFormula::Kind::exponential, {rate_}}; }

 private:
  double rate_;
};

}  // namespace spicymkl
