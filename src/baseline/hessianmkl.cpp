// HessianMKL (Chapelle, Rakotomamonjy 2008): Newton's method on the weights, with a quadratic programme for the
// simplex.
#include <Eigen/Cholesky>
#include <cmath>

#include "simplex_qp.hpp"
#include "wrapper.hpp"

namespace spicymkl {

namespace {

constexpr double kRidge = 1e-10;      // on the kernel of the free support vectors, relative to its trace
constexpr double kAtBound = 1e-6;     // a dual value this near to a bound does not move
constexpr double kQpAccuracy = 1e-6;  // relative to how far the weights are from optimal to first order
constexpr int kMostHalvings = 15;

class HessianMkl final : public WeightUpdate {
 public:
  HessianMkl(WeightObjective& objective, const Settings& settings) : WeightUpdate(objective), settings_(settings) {}

  std::optional<WeightPoint> next(const WeightPoint& point, const Vector& squared_norms) override {
    const Matrix V = hessian_factor(point);
    const double ridge = kRidge * (V.squaredNorm() + squared_norms.sum()) / static_cast<double>(V.cols());
    const Vector gradient = objective_.gradient(squared_norms);
    const double accuracy = kQpAccuracy * (gradient.dot(point.weights) - gradient.minCoeff());
    const Vector linear = gradient - V.transpose() * (V * point.weights) - ridge * point.weights;
    const Vector direction = minimise_on_simplex(linear, V, ridge, accuracy) - point.weights;
    objective_.set_line(point.weights, direction);
    double step = 1;
    for (int halving = 0; halving < kMostHalvings && !stopped(); ++halving, step /= 2) {
      WeightPoint next = objective_.on_line(step);
      if (next.value >= point.value) continue;
      next.weights = on_simplex(std::move(next.weights));
      return next;
    }
    return std::nullopt;
  }

 private:
  bool stopped() const { return settings_.watch.stop_requested(); }

  /// V with VᵀV = ∇²J. While the set F of samples strictly between the bounds stays the same, ρ_F solves a linear
  /// system with cΣd_mK_m on F, bordered by Σρ = 0; differentiating it in d_n gives ∇²J_mn = uₘᵀ Z uₙ with u_m =
  /// c(K_mρ)_F and Z the inverse of that system. With the factor LLᵀ of the kernel, V = L⁻¹u less its part along L⁻¹1.
  Matrix hessian_factor(const WeightPoint& point) {
    const Problem& problem = objective_.problem();
    std::vector<Index> free;
    for (Index i = 0; i < point.dual.size(); ++i) {
      const double p = problem.labels()(i) * point.dual(i);
      if (p > kAtBound && p < 1 - kAtBound) free.push_back(i);
    }
    Matrix products(problem.n_samples(), problem.n_kernels());
    problem.bank().products(all_kernels(problem.n_kernels()), point.dual, products);
    Matrix V = objective_.box() * products(free, Eigen::all);
    if (free.empty()) return V;
    const Matrix full = objective_.combined(point.weights).selfadjointView<Eigen::Lower>();
    Matrix kernel = objective_.box() * full(free, free);
    kernel.diagonal().array() += kRidge * kernel.trace();
    const Eigen::LLT<Matrix> factor(kernel);
    factor.matrixL().solveInPlace(V);
    Vector ones = Vector::Ones(V.rows());
    factor.matrixL().solveInPlace(ones);
    ones.normalize();
    V -= ones * (ones.transpose() * V);
    return V;
  }

  const Settings& settings_;
};

}  // namespace

std::unique_ptr<WeightUpdate> make_hessianmkl(WeightObjective& objective, const Settings& settings) {
  return std::make_unique<HessianMkl>(objective, settings);
}

}  // namespace spicymkl
