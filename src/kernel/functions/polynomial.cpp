// (scale · xᵀz + offset)^degree. A whole degree and an offset ≥ 0 keep it positive semi-definite.
#include "types.hpp"

namespace spicymkl {

namespace {

class Polynomial final : public KernelFunction {
 public:
  Polynomial(double scale, double offset, int degree) : scale_(scale), offset_(offset), degree_(degree) {}

  void map(const double* base, double* out, Index n) const override {
    using Array = Eigen::Array<double, Eigen::Dynamic, 1>;
    Eigen::Map<Array> values(out, n);
    values = scale_ * Eigen::Map<const Array>(base, n) + offset_;
    if (degree_ == 2) values = values.square();
    else if (degree_ == 3) values = values.cube();
    else if (degree_ > 3) values = values.unaryExpr([d = degree_](double value) { return power(value, d); });
  }

  std::optional<MapFormula> formula() const override {
    return MapFormula{MapFormula::Kind::polynomial, {scale_, offset_, static_cast<double>(degree_)}};
  }

  /// By the binomial theorem; none where they leave the range of numbers whose products are safe.
  std::vector<double> powers() const override {
    constexpr double kSmallest = 1e-100, kLargest = 1e100;
    std::vector<double> powers;
    double chosen = 1;  // degree over k
    for (int k = 0; k <= degree_; ++k) {
      if (k > 0) chosen *= static_cast<double>(degree_ - k + 1) / k;
      const double coefficient = chosen * power(scale_, k) * power(offset_, degree_ - k);
      const bool absent = offset_ == 0 && k < degree_;
      if (!absent && !(coefficient >= kSmallest && coefficient <= kLargest)) return {};
      powers.push_back(coefficient);
    }
    return powers;
  }

 private:
  static double power(double value, int degree) {  // by squaring: std::pow on doubles is ten times slower
    double result = 1;
    for (double square = value; degree > 0; degree /= 2, square *= square)
      if (degree % 2 == 1) result *= square;
    return result;
  }

  double scale_;
  double offset_;
  int degree_;
};

}  // namespace

KernelType polynomial_kernel() {
  return {"polynomial",
          "(scale·xᵀz + offset)^degree",
          Base::inner_product,
          ColumnKind::numeric,
          {{"scale", ParameterDomain::positive, 1.0},
           {"offset", ParameterDomain::non_negative, 1.0},
           {"degree", ParameterDomain::positive_integer, 3.0}},
          [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
            return std::make_unique<Polynomial>(p.at("scale"), p.at("offset"), static_cast<int>(p.at("degree")));
          }};
}

}  // namespace spicymkl
