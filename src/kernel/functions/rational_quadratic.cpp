// (1 + ‖x − z‖² / (2 shape length²))^(−shape): a mixture of Gaussians of all widths, wider as shape falls.
#include <cmath>

#include "types.hpp"

namespace spicymkl {

namespace {

class RationalQuadratic final : public KernelFunction {
 public:
  RationalQuadratic(double length, double shape) : rate_(0.5 / (shape * length * length)), shape_(shape) {}

  std::optional<MapFormula> formula() const override {
    return MapFormula{MapFormula::Kind::rational_quadratic, {rate_, shape_}};
  }

  void map(const double* base, double* out, Index n) const override {
    if (shape_ == 1)
      for (Index i = 0; i < n; ++i) out[i] = 1 / (1 + rate_ * base[i]);
    else
      for (Index i = 0; i < n; ++i) out[i] = std::pow(1 + rate_ * base[i], -shape_);
  }

 private:
  double rate_;
  double shape_;
};

}  // namespace

KernelType rational_quadratic_kernel() {
  return {"rational_quadratic",
          "(1 + ‖x − z‖² / (2·shape·length²))^(−shape)",
          Base::squared_distance,
          ColumnKind::numeric,
          {{"length", ParameterDomain::positive, {}}, {"shape", ParameterDomain::positive, 1.0}},
          [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
            return std::make_unique<RationalQuadratic>(p.at("length"), p.at("shape"));
          }};
}

}  // namespace spicymkl
