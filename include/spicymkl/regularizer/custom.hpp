// A regulariser written by the user: g, its conjugate, prox and prox derivative (end of Section 4.2).
#pragma once

#include <functional>

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

struct CustomRegularizerFunctions {
  std::function<double(double x)> value;                     ///< G(x)
  std::function<double(double u)> conjugate;                 ///< G*(u), +∞ beyond dual_bound
  std::function<double(double v, double gamma)> prox;        ///< minimiser of gamma·G(x) + (x − v)²/2
  std::function<double(double v, double gamma)> prox_slope;  ///< its derivative in v
  double threshold = 0;                                      ///< G′(0+)
  double dual_bound = std::numeric_limits<double>::infinity();
};

/// Solved by the proximal loop, which needs the prox alone. The weight map is derived from the prox.
class CustomRegularizer final : public Regularizer {
 public:
  CustomRegularizer(std::string name, double alpha, CustomRegularizerFunctions functions);

  std::string_view name() const override { return name_; }
  double alpha() const override { return alpha_; }
  double value(double x) const override { return functions_.value(x); }
  double conjugate(double u) const override { return functions_.conjugate(u); }
  double prox(double v, double gamma) const override { return functions_.prox(v, gamma); }
  double prox_slope(double v, double gamma) const override { return functions_.prox_slope(v, gamma); }
  double weight(double x) const override;
  bool has_smooth_dual() const override { return false; }
  double dual_bound() const override { return functions_.dual_bound; }
  double threshold() const override { return functions_.threshold; }

 private:
  std::string name_;
  double alpha_;
  CustomRegularizerFunctions functions_;
};

}  // namespace spicymkl
