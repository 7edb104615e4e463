#include "spicymkl/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/compensated_sum.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/problem/certificate.hpp"

namespace spicymkl {

namespace {

void check_labels(const Vector& y, const Loss& loss) {
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isfinite(y(i)))
      throw InputError(fmt::format("label of sample {} is {}; labels must be finite numbers", i, y(i)));
  if (loss.labels() != LabelKind::two_classes) return;
  for (Index i = 0; i < y.size(); ++i)
    if (y(i) != 1 && y(i) != -1)
      throw InputError(
          fmt::format("label of sample {} is {}, but the {} loss needs labels +1 and -1", i, y(i), loss.name()));
  if (y.minCoeff() == y.maxCoeff())
    throw InputError(fmt::format("all {} labels are {:+}, but the {} loss needs both classes, +1 and -1", y.size(),
                                 y(0), loss.name()));
}

void check_weights(const Vector& s, Index n) {
  if (s.size() != n) throw InputError(fmt::format("there are {} sample weights for {} samples", s.size(), n));
  for (Index i = 0; i < n; ++i)
    if (!(s(i) > 0 && std::isfinite(s(i))))
      throw InputError(
          fmt::format("weight of sample {} is {}; sample weights must be finite and above 0 (leave out a sample that "
                      "is not to count)",
                      i, s(i)));
}

}  // namespace

Problem::Problem(std::shared_ptr<const KernelBank> bank, Vector labels, std::shared_ptr<const Loss> loss,
                 std::shared_ptr<const Regularizer> regularizer, bool fit_intercept, Vector sample_weights)
    : bank_(std::move(bank)),
      labels_(std::move(labels)),
      loss_(std::move(loss)),
      regularizer_(std::move(regularizer)),
      fit_intercept_(fit_intercept),
      sample_weights_(std::move(sample_weights)) {
  const Index n = bank_->n_samples();
  if (labels_.size() != n)
    throw InputError(fmt::format("there are {} labels, but the kernels have {} rows", labels_.size(), n));
  if (n < 2) throw InputError("there is only one sample; at least 2 are needed");
  if (sample_weights_.size() == 0) sample_weights_ = Vector::Ones(n);
  check_labels(labels_, *loss_);
  check_weights(sample_weights_, n);
}

Problem Problem::with(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const Regularizer> regularizer) const {
  const bool same_bank = bank == bank_;
  Problem problem(std::move(bank), labels_, loss_, std::move(regularizer), fit_intercept_, sample_weights_);
  problem.constant_ = constant_;
  if (same_bank) problem.constant_forms_ = constant_forms_;
  return problem;
}

Problem Problem::with_loss(std::shared_ptr<const Loss> loss) const {
  return {bank_, labels_, std::move(loss), regularizer_, fit_intercept_, sample_weights_};
}

Problem Problem::on_samples(const std::vector<Index>& rows, std::shared_ptr<const KernelBank> bank) const {
  const double times = static_cast<double>(n_samples()) / static_cast<double>(rows.size());
  return {std::move(bank), labels_(rows), loss_, regularizer_, fit_intercept_, times * sample_weights_(rows)};
}

double Problem::loss_value(ConstVectorRef z) const {
  CompensatedSum sum;
  for (Index i = 0; i < z.size(); ++i) sum += sample_weights_(i) * loss_->value(labels_(i), z(i));
  return sum.value();
}

double Problem::conjugate_value(ConstVectorRef rho) const {
  CompensatedSum sum;
  for (Index i = 0; i < rho.size(); ++i) {
    const Interval domain = loss_->dual_domain(labels_(i));
    const double s = sample_weights_(i);
    double r = rho(i) / s;
    // (s·bound)/s may exceed the bound by a rounding error: a ρ_i within s times the domain counts as inside.
    if (rho(i) >= s * domain.lower && rho(i) <= s * domain.upper) r = std::clamp(r, domain.lower, domain.upper);
    sum += s * loss_->conjugate(labels_(i), r);
  }
  return sum.value();
}

Vector Problem::dual_point(ConstVectorRef z) const {
  Vector rho(z.size());
  for (Index i = 0; i < z.size(); ++i) rho(i) = sample_weights_(i) * loss_->dual_point(labels_(i), z(i));
  return rho;
}

Vector Problem::feasible(ConstVectorRef rho) const {
  Vector point(rho.size());
  double positive = 0, negative = 0;
  for (Index i = 0; i < rho.size(); ++i) {
    const Interval domain = loss_->dual_domain(labels_(i));
    point(i) = std::clamp(rho(i), sample_weights_(i) * domain.lower, sample_weights_(i) * domain.upper);
    if (!std::isfinite(point(i))) point(i) = 0;
    (point(i) > 0 ? positive : negative) += std::abs(point(i));
  }
  if (!fit_intercept_ || positive == negative) return point;
  const bool positive_is_heavier = positive > negative;
  const double factor = positive_is_heavier ? negative / positive : positive / negative;
  for (double& value : point)
    if ((value > 0) == positive_is_heavier) value *= factor;
  return point;
}

Interval Problem::intercept_bracket(ConstVectorRef f) const {
  // Σρ_i(b) is non-increasing in b; the minimiser of the loss is where it crosses zero.
  const auto sum_of_duals = [&](double b) {
    double sum = 0;
    for (Index i = 0; i < f.size(); ++i) sum += sample_weights_(i) * loss_->dual_point(labels_(i), f(i) + b);
    return sum;
  };
  double lower = -1, upper = 1;
  for (int k = 0; k < 1100 && sum_of_duals(lower) < 0; ++k) lower *= 2;
  for (int k = 0; k < 1100 && sum_of_duals(upper) > 0; ++k) upper *= 2;
  for (int k = 0; k < 200; ++k) {
    const double middle = lower + 0.5 * (upper - lower);
    if (middle <= lower || middle >= upper) break;
    (sum_of_duals(middle) >= 0 ? lower : upper) = middle;
  }
  return {lower, upper};
}

double Problem::best_intercept(ConstVectorRef f) const {
  if (!fit_intercept_) return 0;
  const Interval bracket = intercept_bracket(f);
  const Vector ones = Vector::Ones(f.size());
  return loss_value(f + bracket.lower * ones) <= loss_value(f + bracket.upper * ones) ? bracket.lower : bracket.upper;
}

const Problem::Constant& Problem::best_constant() const {
  return constant_->get([&] { return make_constant(); });
}

const Vector& Problem::constant_forms() const {
  return constant_forms_->get([&] {
    Vector squares(n_kernels());
    bank_->quadratic_forms(all_kernels(n_kernels()), best_constant().dual, squares);
    return squares;
  });
}

Problem::Constant Problem::make_constant() const {
  const Vector zero = Vector::Zero(n_samples());
  if (!fit_intercept_) return {0.0, dual_point(zero)};
  // At a kink the dual values jump between the two neighbours; the mixture that sums to zero is a subgradient there.
  const Interval bracket = intercept_bracket(zero);
  const Vector high = dual_point(Vector::Constant(n_samples(), bracket.lower));
  const Vector low = dual_point(Vector::Constant(n_samples(), bracket.upper));
  const double jump = high.sum() - low.sum();
  const double mix = jump > 0 ? std::clamp(high.sum() / jump, 0.0, 1.0) : 0.0;
  return {best_intercept(zero), feasible(high + mix * (low - high))};
}

double alpha_max(const Problem& problem) {
  const Vector& dual = problem.best_constant().dual;
  Vector squares = problem.constant_forms();
  // What rounding leaves of a form that is 0 is no unit to measure alpha by.
  const double unit = rounding_of_forms(dual);
  for (Index m = 0; m < squares.size(); ++m)
    if (squares(m) <= unit * problem.bank().trace(m)) squares(m) = 0;
  const double largest = std::sqrt(squares.maxCoeff());
  const double threshold = problem.regularizer().threshold();
  return threshold > 0 ? largest * problem.regularizer().alpha() / threshold : largest;
}

double squared_formulation_strength(double alpha, double norm_sum) { return alpha / norm_sum; }

}  // namespace spicymkl
