// HessianMKL (Chapelle, Rakotomamonjy 2008): Newton's method on the weights, with a quadratic programme for the
// simplex.
#include "simplex_qp.hpp"
#include "solver/inner/weight_hessian.hpp"
#include "wrapper.hpp"

namespace spicymkl {

namespace {

constexpr double kQpRidge = 1e-10;    // of the Hessian, relative to its mean diagonal entry and that of the gradient
constexpr double kAtBound = 1e-6;     // a dual value this near to a bound does not move
constexpr double kQpAccuracy = 1e-6;  // relative to how far the weights are from optimal to first order
constexpr int kMostHalvings = 15;

class HessianMkl final : public WeightUpdate {
 public:
  HessianMkl(WeightObjective& objective, const Settings& settings) : WeightUpdate(objective), settings_(settings) {}

  std::optional<WeightPoint> next(const WeightPoint& point, const Vector& squared_norms) override {
    Matrix V;
    if (!hessian_factor(point, V)) return std::nullopt;
    const double ridge = kQpRidge * (V.squaredNorm() + squared_norms.sum()) / static_cast<double>(V.cols());
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

  /// Strictly between the bounds of their dual values.
  std::vector<Index> free_samples(const WeightPoint& point) const {
    std::vector<Index> free;
    for (Index i = 0; i < point.dual.size(); ++i) {
      const double p = objective_.problem().labels()(i) * point.dual(i);
      if (p > kAtBound && p < 1 - kAtBound) free.push_back(i);
    }
    return free;
  }

  /// V with VᵀV = ∇²J.
  bool hessian_factor(const WeightPoint& point, Matrix& V) {
    const Problem& problem = objective_.problem();
    const std::vector<Index> free = free_samples(point);
    Matrix products(problem.n_samples(), problem.n_kernels());
    problem.bank().products(all_kernels(problem.n_kernels()), point.dual, products);
    V = objective_.box() * products(free, Eigen::all);
    const Matrix kernel = objective_.combined(point.weights).selfadjointView<Eigen::Lower>();
    return weight_hessian_factor(objective_.box() * kernel(free, free), V, true, problem.bank());
  }

  const Settings& settings_;
};

}  // namespace

std::unique_ptr<WeightUpdate> make_hessianmkl(WeightObjective& objective, const Settings& settings) {
  return std::make_unique<HessianMkl>(objective, settings);
}

}  // namespace spicymkl
