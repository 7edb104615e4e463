// A loss, a penalty, a kernel, a bank and a solver that the library does not have, from outside its tree: each is one
// class, and the answer is certified like any other.
#include <cmath>
#include <cstdio>

#include "spicymkl/spicymkl.hpp"

namespace {

using namespace spicymkl;

/// Expectiles: ℓ(y, z) = w·r² with r = y − z and w = share above, 1 − share below. ℓ*(y, −ρ) = −yρ + ρ²/(4w).
class ExpectileLoss final : public Loss {
 public:
  explicit ExpectileLoss(double share) : share_(share) {}
  std::string_view name() const override { return "expectile"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override { return weight(y - z) * (y - z) * (y - z); }
  double dual_point(double y, double z) const override { return 2 * weight(y - z) * (y - z); }
  double conjugate(double y, double rho) const override { return -y * rho + rho * rho / (4 * weight(rho)); }
  Interval dual_domain(double) const override { return {}; }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    return {conjugate(y, rho), -y + rho / (2 * weight(rho)), 0, 1 / (2 * weight(rho)), 0, 0};
  }

 private:
  double weight(double sign) const { return sign > 0 ? share_ : 1 - share_; }
  double share_;
};

/// G(x) = alpha(x + x³/3), which selects kernels and keeps weights small: G′ = alpha(1 + x²).
class CubicPenalty final : public Regularizer {
 public:
  explicit CubicPenalty(double alpha) : alpha_(alpha) {}
  std::string_view name() const override { return "cubic"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override { return alpha_ * (x + x * x * x / 3); }
  double conjugate(double u) const override { return u <= alpha_ ? 0 : alpha_ * 2 / 3 * std::pow(u / alpha_ - 1, 1.5); }
  double prox(double v, double gamma) const override {
    const double a = gamma * alpha_;
    return v <= a ? 0 : (v - a) * 2 / (1 + std::sqrt(1 + 4 * a * (v - a)));  // the root of ax² + x = v − a
  }
  double prox_slope(double v, double gamma) const override {
    const double x = prox(v, gamma);
    return x > 0 ? 1 / (1 + 2 * gamma * alpha_ * x) : 0;
  }
  double weight(double x) const override { return x / (1 + x * x); }
  bool has_smooth_dual() const override { return false; }
  double threshold() const override { return alpha_; }

 private:
  double alpha_;
};

/// 1/(1 + ‖x − z‖²/scale²)
class Cauchy final : public KernelFunction {
 public:
  explicit Cauchy(double scale) : scale_(scale) {}
  void map(const double* base, double* out, Index n) const override {
    for (Index i = 0; i < n; ++i) out[i] = 1 / (1 + base[i] / (scale_ * scale_));
  }

 private:
  double scale_;
};

const KernelType kCauchy = {"cauchy",
                            "1/(1 + ‖x − z‖²/scale²)",
                            Base::squared_distance,
                            ColumnKind::numeric,
                            {{"scale", ParameterDomain::positive, 1.0}},
                            [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
                              return std::make_unique<Cauchy>(p.at("scale"));
                            }};

FittedKernel cauchy_on(Index column, double scale, const Samples& samples) {
  KernelSpec spec;
  spec.type = "cauchy";
  spec.own_type = std::make_shared<KernelType>(kCauchy);
  spec.parameters = {{"scale", scale}};
  spec.columns = {column};
  spec.name = "cauchy on column " + std::to_string(column);
  return FittedKernel::fit(spec, samples, 1);
}

/// Ours, looked at less closely first.
class TwoStages final : public RegisteredSolver {
 public:
  std::string_view name() const override { return "two_stages"; }
  void check(std::string_view loss, const Regularizer&, bool) const override {
    if (loss == "hinge") throw InputError("solver two_stages does not solve the hinge loss");
  }
  Result solve(const Problem& problem, const Settings& settings, const WarmStart& start) const override {
    return spicymkl::solve(problem, {.tol = settings.tol}, spicymkl::solve(problem, {.tol = 0.1}, start).warm_start);
  }
};

/// One linear kernel per column of a table, K_m = x_m x_mᵀ, none of which is ever formed.
class ColumnBank final : public KernelBank {
 public:
  explicit ColumnBank(Matrix X)
      : KernelBank({.n_samples = X.rows(), .n_kernels = X.cols(), .threads = 1}), X_(std::move(X)) {}
  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override {
    for (std::size_t k = 0; k < set.size(); ++k)
      out.middleCols(static_cast<Index>(k) * V.cols(), V.cols()) = X_.col(set[k]) * (X_.col(set[k]).transpose() * V);
  }
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override {
    out = X_(Eigen::all, set).cwiseAbs2() * weights;
  }
  double trace(Index kernel) const override { return X_.col(kernel).squaredNorm(); }

 private:
  Matrix X_;
};

/// The answer over columns is that over their Gram matrices.
bool own_bank_is_certified(const Matrix& X, const Vector& y, double tol) {
  std::vector<Matrix> grams;
  std::vector<const double*> pointers;
  for (Index m = 0; m < X.cols(); ++m) grams.push_back(X.col(m) * X.col(m).transpose());
  for (const Matrix& gram : grams) pointers.push_back(gram.data());
  const auto dense = std::make_shared<DenseBank>(pointers, X.rows(), std::vector<std::string>{}, 1, nullptr);
  const Problem by_matrices(dense, y, make_loss("squared"), make_regularizer("block1", {.alpha = 1}));
  const Problem by_columns = by_matrices.with(std::make_shared<ColumnBank>(X), by_matrices.shared_regularizer());
  const Result result = solve(by_columns, {.tol = tol});
  const Certificate again = certify(by_matrices, result.expansion, dual_bound(by_matrices, result.certificate.dual));
  return result.status == Status::converged && !result.expansion.kernels.empty() && again.relative_gap <= 1.001 * tol;
}

/// y depends on the first of three columns.
struct Data {
  Samples samples{{"a", "b", "c"}, Matrix(60, 3), {}};
  Vector y = Vector(60);
  Data() {
    for (Index i = 0; i < 60; ++i) {
      for (Index j = 0; j < 3; ++j) samples.values(i, j) = std::sin(12.9898 * static_cast<double>(3 * i + j + 1) + 4);
      y(i) = std::cos(3 * samples.values(i, 0)) + 0.05 * std::sin(78.233 * static_cast<double>(i));
    }
  }
};

bool check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "yes" : "NO");
  return good;
}

}  // namespace

int main() {
  const Data data;
  std::vector<FittedKernel> kernels;
  for (const Index column : {0, 1, 2}) kernels.push_back(cauchy_on(column, 0.5, data.samples));
  const auto bank = make_dense_bank(data.samples, kernels, 1);
  constexpr double kTol = 1e-6;

  const auto loss = std::make_shared<const ExpectileLoss>(0.8);
  const Problem problem(bank, data.y, loss, std::make_shared<const CubicPenalty>(0.05));
  const Result result = solve(problem, {.tol = kTol});
  const Certificate again = certify(problem, result.expansion, dual_bound(problem, result.certificate.dual));
  bool good = check("the solver reaches the tolerance", result.status == Status::converged);
  good &= check("the gap holds when it is recomputed", again.relative_gap <= kTol && again.relative_gap >= 0);
  good &= check("the kernel that explains y has the largest norm",
                !result.expansion.kernels.empty() && result.expansion.kernels.front() == 0);

  TrainingInput input;
  input.bank = bank;
  input.target.loss = "expectile";
  input.target.numbers = data.y;
  TrainingPlan plan;
  plan.alpha = "0.05";
  plan.settings.tol = kTol;
  plan.problem.own_loss = loss;
  plan.problem.penalty = "cubic";
  plan.problem.own_penalty = [](double alpha) { return std::make_shared<const CubicPenalty>(alpha); };
  const Fit fit = train_model(input, plan).model.fits.front();
  good &= check("the pipeline gives the same model",
                std::abs(fit.certificate.primal - result.certificate.primal) <= 2 * kTol * fit.certificate.primal);

  good &= check("a bank that knows products, diagonals and traces is enough",
                own_bank_is_certified(data.samples.values, data.samples.values.col(1) + 0.3 * data.y, kTol));

  register_solver(std::make_shared<TwoStages>());
  choose_solver("two_stages", plan.settings);
  const Fit other = train_model(input, plan).model.fits.front();
  good &= check("a solver that was registered is chosen by its name",
                std::abs(other.certificate.primal - fit.certificate.primal) <= 2 * kTol * fit.certificate.primal);
  return good ? 0 : 1;
}
