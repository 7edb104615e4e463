#include "fixed_weights.hpp"

#include <limits>

#include "core/blas.hpp"
#include "svm_dual.hpp"

namespace spicymkl {

namespace {

constexpr double kFarFromEntering = 0.3;

/// Support vector machines.
class SvmWithFixedWeights final : public FixedWeights {
 public:
  SvmWithFixedWeights(const Problem& problem, const Watch& watch)
      : problem_(problem), watch_(watch), images_(problem.n_samples(), problem.n_kernels()) {}

  bool minimise(const std::vector<Index>& kernels, const Vector& weights, const Vector& start,
                double accuracy) override {
    svm_ = nullptr;  // its memory is for the next one
    svm_ = make_svm_dual(problem_, kernels, weights, start);
    return svm_->minimise(accuracy, [&] { return watch_.stop_requested(); });
  }
  const Vector& rho() const override { return svm_->rho(); }
  double value() const override { return svm_->value(); }
  Vector squared_norms() override {
    problem_.bank().products(all_kernels(problem_.n_kernels()), rho(), images_);
    return images_.transpose() * rho();
  }
  Vector predictions(const std::vector<Index>& kernels, const Vector& scale) const override {
    return images_(Eigen::all, kernels) * scale;
  }
  Matrix hessian(const std::vector<Index>& kernels) override {
    Matrix H;
    if (!svm_->value_hessian(images_(Eigen::all, kernels), H)) return {};
    return H;
  }
  /// Rows of the Hessian cost next to nothing: none is left out.
  double stays_out() const override { return std::numeric_limits<double>::infinity(); }

 private:
  const Problem& problem_;
  const Watch& watch_;
  std::unique_ptr<SvmDual> svm_;
  Matrix images_;  // K_mρ
};

/// Where the conjugate is −rᵀρ + ρᵀdiag(c)ρ/2: (diag(c) + K)ρ + Cδ = r, one system for all outputs. Forms take no more
/// time for many outputs than for one, and products K_mρ are left to the Hessian.
class LinearWithFixedWeights final : public FixedWeights {
 public:
  explicit LinearWithFixedWeights(const Problem& problem)
      : problem_(problem),
        system_(problem.bank().make_newton_system()),
        curvature_(problem.n_samples()),
        right_(problem.n_samples()),
        workspace_(problem.n_samples(), 1 + problem.constraints().n_columns()),
        multipliers_(problem.constraints().n_columns(), problem.n_outputs()) {
    for (Index i = 0; i < right_.size(); ++i) {
      const DualTerm term = problem.loss().smooth_conjugate(problem.labels()(i), 0, 0);
      right_(i) = -term.d_rho;
      curvature_(i) = term.d_rho_rho / problem.sample_weights()(i);
    }
  }

  bool minimise(const std::vector<Index>& kernels, const Vector& weights, const Vector&, double) override {
    const Matrix none(problem_.n_samples(), 0);
    if (!system_->factor({kernels, weights, curvature_, none, 0})) return false;
    rho_ = solved(right_);
    if (!rho_.allFinite()) return false;
    Vector image = Vector::Zero(rho_.size());
    problem_.bank().weighted_product(kernels, weights, rho_, image);
    value_ = rho_.dot(image) / 2 + problem_.conjugate_value(rho_);
    return true;
  }
  const Vector& rho() const override { return rho_; }
  double value() const override { return value_; }
  Vector squared_norms() override {
    Vector squares(problem_.n_kernels());
    problem_.bank().quadratic_forms(all_kernels(problem_.n_kernels()), rho_, squares);
    return squares;
  }
  Vector predictions(const std::vector<Index>& kernels, const Vector& scale) const override {
    Vector f = Vector::Zero(rho_.size());
    problem_.bank().weighted_product(kernels, scale, rho_, f);
    return f;
  }
  /// u_mᵀZu_l with u_m = K_mρ and Z the inverse of the system on Cᵀρ = 0.
  Matrix hessian(const std::vector<Index>& kernels) override {
    const Index count = std::ssize(kernels);
    Matrix U(rho_.size(), count), through(rho_.size(), count);
    problem_.bank().products(kernels, rho_, U);
    for (Index k = 0; k < count; ++k) through.col(k) = solved(U.col(k));
    Matrix H = Matrix::Zero(count, count);
    blas::add_transposed_product(1, U, through, H, problem_.bank().threads());
    return (H + H.transpose()) / 2;
  }
  double stays_out() const override { return kFarFromEntering; }

 private:
  Vector solved(ConstVectorRef rhs) {
    workspace_.col(0) = rhs;
    system_->solve_within(problem_.constraints(), workspace_, multipliers_);
    return workspace_.col(0);
  }

  const Problem& problem_;
  std::unique_ptr<NewtonSystem> system_;
  Vector curvature_, right_;
  Matrix workspace_, multipliers_;
  Vector rho_;
  double value_ = 0;
};

}  // namespace

std::unique_ptr<FixedWeights> make_fixed_weights(const Problem& problem, const Watch& watch) {
  if (problem.loss().has_linear_dual()) return std::make_unique<LinearWithFixedWeights>(problem);
  return std::make_unique<SvmWithFixedWeights>(problem, watch);
}

}  // namespace spicymkl
