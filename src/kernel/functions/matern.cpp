// With d = ‖x − z‖ / length: exp(−d) for nu = 0.5, (1 + √3 d) exp(−√3 d) for 1.5, (1 + √5 d + 5d²/3) exp(−√5 d)
// for 2.5. Sample functions are once (1.5) or twice (2.5) differentiable, where those of the Gaussian are analytic.
#include <algorithm>
#include <cmath>

#include "core/vector_exp.hpp"
#include "kernel/spectral_draws.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class Matern final : public KernelFunction {
 public:
  Matern(double nu, double length) : nu_(nu), rate_(std::sqrt(2 * nu) / length) {}

  std::optional<MapFormula> formula() const override { return MapFormula{MapFormula::Kind::matern, {nu_, rate_}}; }

  void map(const double* base, double* out, Index n) const override {
    for (Index first = 0; first < n; first += kBlock) map_block(base + first, out + first, std::min(kBlock, n - first));
  }

 private:
  static constexpr Index kBlock = 512;

  void map_block(const double* base, double* out, Index n) const {
    using Array = Eigen::Array<double, Eigen::Dynamic, 1, 0, kBlock, 1>;
    const Array u = rate_ * Eigen::Map<const Array>(base, n).sqrt();
    Eigen::Map<Array> values(out, n);
    vector_exp(-1, u.data(), out, n);
    if (nu_ == 1.5) values *= 1 + u;
    if (nu_ == 2.5) values *= 1 + u + u.square() / 3;
  }

  double nu_;
  double rate_;
};

}  // namespace

KernelType matern_kernel() {
  return {"matern",
          "the Matérn kernel of smoothness nu",
          Base::squared_distance,
          ColumnKind::numeric,
          {{"length", ParameterDomain::positive, {}}, {"nu", ParameterDomain::matern_nu, 1.5}},
          [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
            return std::make_unique<Matern>(p.at("nu"), p.at("length"));
          },
          [](const KernelParameters& p, Index n_columns, Index count, std::uint64_t seed) -> Matrix {
            RandomDraws draws(seed);
            // Its spectrum is Student's t with 2·nu degrees of freedom.
            Matrix frequencies = orthogonal_normals(n_columns, count, draws) / p.at("length");
            const double freedom = 2 * p.at("nu");
            for (auto column : frequencies.colwise()) column *= std::sqrt(freedom / chi_squared(freedom, draws));
            return frequencies;
          }};
}

}  // namespace spicymkl
