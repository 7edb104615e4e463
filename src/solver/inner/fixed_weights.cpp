#include "fixed_weights.hpp"

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "core/blas.hpp"
#include "core/random_draws.hpp"
#include "svm_dual.hpp"

namespace spicymkl {

namespace {

constexpr double kFarFromEntering = 0.3;
constexpr Index kStrongest = 12, kOfRest = 12;  // combinations of outputs that speak for all
constexpr std::uint64_t kSeedOfSigns = 1;
constexpr Index kBlock = 16;  // kernels whose images are asked for at a time

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

/// ±1, the same in every run.
Matrix signs(Index rows, Index columns) {
  Draws<SplitMix64> draws(kSeedOfSigns);
  return Matrix::NullaryExpr(rows, columns, [&] { return draws.uniform() < 0.5 ? -1.0 : 1.0; });
}

/// Few combinations R̃ of the columns of R with R̃R̃ᵀ near RRᵀ: the strongest ones, to which random ones are led by a
/// step of subspace iteration, and random ones of what these leave (Meyer, Musco, Musco and Woodruff 2021). Forms
/// tr(RᵀBR) are off by a few per cent, which is all the digits that a Newton step needs of its Hessian.
Matrix few_combinations(const Matrix& R) {
  if (R.cols() <= kStrongest + kOfRest) return R;
  const Matrix led = R.transpose() * (R * signs(R.cols(), kStrongest));
  const Matrix Q = Eigen::HouseholderQR<Matrix>(led).householderQ() * Matrix::Identity(R.cols(), kStrongest);
  Matrix few(R.rows(), kStrongest + kOfRest);
  few.leftCols(kStrongest).noalias() = R * Q;
  const Matrix mixed = signs(R.cols(), kOfRest) / std::sqrt(static_cast<double>(kOfRest));
  few.rightCols(kOfRest).noalias() = R * (mixed - Q * (Q.transpose() * mixed));
  return few;
}

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
  /// u_mᵀZu_l with u_m = K_mρ and Z the inverse of the system on Cᵀρ = 0, which is the same for all outputs.
  Matrix hessian(const std::vector<Index>& kernels) override {
    const Index count = std::ssize(kernels), n = problem_.n_rows();
    const Matrix few = few_combinations(rho_.reshaped(n, problem_.n_outputs()));
    const Matrix U = images(kernels, few);
    Matrix through = U;
    for (Index first = 0; first < U.cols(); first += problem_.n_outputs()) {
      auto columns = through.middleCols(first, std::min(problem_.n_outputs(), U.cols() - first));
      columns = solved(columns.reshaped()).head(columns.size()).reshaped(n, columns.cols());
    }
    Matrix H = Matrix::Zero(count, count);
    blas::add_transposed_product(1, U.reshaped(few.size(), count), through.reshaped(few.size(), count), H,
                                 problem_.bank().threads());
    return (H + H.transpose()) / 2;
  }
  double stays_out() const override { return kFarFromEntering; }

 private:
  /// K_mV of these kernels side by side, where V has no more columns than there are outputs.
  Matrix images(const std::vector<Index>& kernels, const Matrix& V) const {
    const std::span<const Index> all(kernels);
    Vector padded = Vector::Zero(rho_.size());
    padded.head(V.size()) = V.reshaped();
    Matrix U(V.rows(), V.cols() * std::ssize(kernels)), block(rho_.size(), std::min(kBlock, std::ssize(kernels)));
    for (Index first = 0; first < std::ssize(kernels); first += kBlock) {
      const Index count = std::min(kBlock, std::ssize(kernels) - first);
      problem_.bank().products(all.subspan(first, count), padded, block.leftCols(count));
      U.middleCols(first * V.cols(), count * V.cols()).reshaped(V.size(), count) = block.topLeftCorner(V.size(), count);
    }
    return U;
  }

  /// Z times the right-hand sides of all outputs, or of some, the first ones.
  Vector solved(ConstVectorRef rhs) {
    workspace_.col(0).head(rhs.size()) = rhs;
    workspace_.col(0).tail(workspace_.rows() - rhs.size()).setZero();
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
