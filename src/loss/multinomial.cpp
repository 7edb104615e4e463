// ℓ(y, z) = log Σ_k exp z_k − z_y over the classes k of a sample. With p = e_y − ρ its conjugate is Σ_k p_k log p_k on
// the simplex: the entropy of every class for itself, and Σ_k ρ_k = 0 for them together.
#include <fmt/format.h>

#include <cmath>

#include "core/compensated_sum.hpp"
#include "inseparable.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

class JointMultinomial final : public JointLoss {
 public:
  JointMultinomial(ConstVectorRef labels, ConstVectorRef weights, Index n_outputs)
      : n_classes_(n_outputs), n_(labels.size() / n_outputs), y_(labels), s_(weights.head(n_)), class_(n_) {
    for (Index i = 0; i < n_; ++i) {
      Eigen::Map<const Vector, 0, Eigen::InnerStride<>> row(y_.data() + i, n_classes_, Eigen::InnerStride<>(n_));
      if (row.maxCoeff(&class_[i]) != 1 || row.sum() != 1 || row.minCoeff() != 0)
        throw InputError(
            fmt::format("the labels of sample {} are not 1 for one class and 0 for the others, as the multinomial loss "
                        "needs them",
                        i));
    }
    for (Index k = 0; k < n_classes_; ++k)
      if (!(y_.segment(k * n_, n_).maxCoeff() > 0))
        throw InputError(fmt::format("class {} has no sample, but the multinomial loss needs one of every class", k));
  }

  double value(ConstVectorRef z) const override {
    CompensatedSum sum;
    for (Index i = 0; i < n_; ++i) sum += s_(i) * loss_of(i, z, 0);
    return sum.value();
  }

  double largest_value(ConstVectorRef z, ConstVectorRef reach) const override {
    CompensatedSum sum;  // largest where the own class is as low and the others are as high as they may be
    for (Index i = 0; i < n_; ++i) {
      double most = 0;
      for (Index k = 0; k < n_classes_; ++k) most = std::max(most, reach(k * n_ + i));
      sum += s_(i) * loss_of(i, z, most);
    }
    return sum.value();
  }

  Vector dual_point(ConstVectorRef z) const override {
    Vector rho = -probabilities(z);
    rho += y_;
    for (Index k = 0; k < n_classes_; ++k) rho.segment(k * n_, n_).array() *= s_.array();
    return rho;
  }

  Matrix curvature_product(ConstVectorRef z, ConstMatrixRef V) const override {  // s(diag p − ppᵀ)
    const Vector p = probabilities(z);
    Matrix out = p.asDiagonal() * V;
    for (Index column = 0; column < V.cols(); ++column) {
      Vector mean = Vector::Zero(n_);
      for (Index k = 0; k < n_classes_; ++k) mean += out.col(column).segment(k * n_, n_);
      for (Index k = 0; k < n_classes_; ++k) {
        auto part = out.col(column).segment(k * n_, n_);
        part -= p.segment(k * n_, n_).cwiseProduct(mean);
        part.array() *= s_.array();
      }
    }
    return out;
  }

  double conjugate(ConstVectorRef rho) const override {
    CompensatedSum sum;
    for (Index e = 0; e < rho.size(); ++e) {
      const double p = probability(e, rho(e));
      if (!(p >= -kOutside && p <= 1 + kOutside)) return std::numeric_limits<double>::infinity();
      if (p > 0) sum += s_(e % n_) * p * std::log(p);
    }
    return sum.value();
  }

  Vector answering(ConstVectorRef rho) const override {
    Vector z(rho.size());
    for (Index e = 0; e < rho.size(); ++e) {
      const double p = probability(e, rho(e));
      z(e) = std::log(p > kLeast ? p : kLeast);
    }
    return z;
  }

  Curvature conjugate_curvature(ConstVectorRef rho) const override {
    Curvature curvature{Vector(rho.size())};
    for (Index e = 0; e < rho.size(); ++e)
      curvature.diagonal(e) = 1 / (s_(e % n_) * std::max(probability(e, rho(e)), kLeast));
    return curvature;
  }

  double room(ConstVectorRef rho, ConstVectorRef direction) const override {
    double step = std::numeric_limits<double>::infinity();  // p = y − ρ/s falls where Δ > 0; rows sum to 1
    for (Index e = 0; e < rho.size(); ++e)
      if (direction(e) > 0) step = std::min(step, s_(e % n_) * probability(e, rho(e)) / direction(e));
    return std::max(step, 0.0);
  }

  double conjugate_convexity() const override { return 1 / s_.maxCoeff(); }  // 1/(s·p) with p ≤ 1
  bool ignores_row_shifts() const override { return true; }

 private:
  static constexpr double kLeast = 1e-280;   // probabilities below count as this one
  static constexpr double kOutside = 1e-14;  // by which rounding may take one out of [0, 1]

  double probability(Index entry, double rho) const { return y_(entry) - rho / s_(entry % n_); }

  /// ℓ with the own class lower by `reach` and the others higher by it.
  double loss_of(Index i, ConstVectorRef z, double reach) const {
    const double own = z(class_[i] * n_ + i) - reach;
    double largest = 0;  // of z_k − z_y
    for (Index k = 0; k < n_classes_; ++k)
      if (k != class_[i]) largest = std::max(largest, z(k * n_ + i) + reach - own);
    double others = 0;
    for (Index k = 0; k < n_classes_; ++k)
      if (k != class_[i]) others += std::exp(z(k * n_ + i) + reach - own - largest);
    return largest > 0 ? largest + std::log(others + std::exp(-largest)) : std::log1p(others);
  }

  Vector probabilities(ConstVectorRef z) const {
    Vector p(z.size());
    for (Index i = 0; i < n_; ++i) {
      double largest = z(i), sum = 0;
      for (Index k = 1; k < n_classes_; ++k) largest = std::max(largest, z(k * n_ + i));
      for (Index k = 0; k < n_classes_; ++k) sum += p(k * n_ + i) = std::exp(z(k * n_ + i) - largest);
      for (Index k = 0; k < n_classes_; ++k) p(k * n_ + i) /= sum;
    }
    return p;
  }

  Index n_classes_, n_;
  Vector y_, s_;
  std::vector<Index> class_;
};

class MultinomialLoss final : public InseparableLoss {
 public:
  std::string_view name() const override { return "multinomial"; }
  LabelKind labels() const override { return LabelKind::several_classes; }
  std::unique_ptr<const JointLoss> join(ConstVectorRef labels, ConstVectorRef weights, Index n_outputs) const override {
    return std::make_unique<JointMultinomial>(labels, weights, n_outputs);
  }
};

}  // namespace

LossType multinomial_loss() {
  return {.name = "multinomial",
          .labels = LabelKind::several_classes,
          .description = "log Σ exp z_k − z_y: all classes at once, one weight per kernel, probabilities",
          .log_odds = true,
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<MultinomialLoss>(); }};
}

}  // namespace spicymkl
