// A kernel that stands for several alike.
#pragma once

#include <memory>

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

/// The price of a kernel that stands for c kernels equal to it. They share its function best in equal parts, so that
/// G_c(x) = c·G(x/c), and G_c*(u) = c·G*(u): each of the c counts in the dual as it does alone. c need not be whole.
class RepeatedRegularizer final : public Regularizer {
 public:
  RepeatedRegularizer(std::shared_ptr<const Regularizer> one, double times) : one_(std::move(one)), times_(times) {}

  std::string_view name() const override { return one_->name(); }
  double alpha() const override { return one_->alpha(); }
  double value(double x) const override { return times_ * one_->value(x / times_); }
  double conjugate(double u) const override { return times_ * one_->conjugate(u); }
  // With x = c·t the minimum of γ·c·G(x/c) + (x − v)²/2 is c² times that of (γ/c)·G(t) + (t − v/c)²/2.
  double prox(double v, double gamma) const override { return times_ * one_->prox(v / times_, gamma / times_); }
  double prox_slope(double v, double gamma) const override { return one_->prox_slope(v / times_, gamma / times_); }
  double envelope(double v, double gamma) const override {
    return times_ * times_ * one_->envelope(v / times_, gamma / times_);
  }
  double weight(double x) const override { return times_ * one_->weight(x / times_); }
  bool has_smooth_dual() const override { return one_->has_smooth_dual(); }
  double conjugate_slope(double u) const override { return times_ * one_->conjugate_slope(u); }
  double conjugate_curvature(double u) const override { return times_ * one_->conjugate_curvature(u); }
  double dual_bound() const override { return one_->dual_bound(); }
  double threshold() const override { return one_->threshold(); }

 private:
  std::shared_ptr<const Regularizer> one_;
  double times_;
};

}  // namespace spicymkl
